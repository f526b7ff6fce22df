import { assertSession } from "../calls/assert-session.ts";
import { authorise } from "../calls/authorise.ts";
import type { ReadContext } from "../calls/use-case.ts";
import { findStaying } from "../mail/acceptance/find-sending-workspace.ts";
import type { Permission } from "../permissions.ts";
import type { Repositories } from "../ports/storage.ts";

/**
 * Checks in the transaction of an import's next piece what may have changed since the import began. Throws as
 * `authorise` does if the caller lost the permission, `unauthenticated` if their session was revoked, and `not_found` if
 * the workspace is gone or is being deleted.
 */
export async function assertImportGoesOn<P extends Permission>(
  { caller, workspace: { id }, runtime }: Pick<ReadContext<P>, "caller" | "workspace" | "runtime">,
  storage: Repositories,
  permission: P,
): Promise<void> {
  await authorise({ access: permission }, { caller, workspaceId: id }, storage.members.lockRole);
  await assertSession(storage, caller);
  await findStaying(storage, id, runtime.queueClock.now());
}
