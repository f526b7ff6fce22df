import type { ReadContext } from "../calls/use-case.ts";
import { findStaying } from "../mail/acceptance/find-sending-workspace.ts";
import type { Permission } from "../permissions.ts";
import type { Repositories } from "../ports/storage.ts";
import { assertRightLasts } from "./assert-right-lasts.ts";

/**
 * Checks in the transaction of an import's next piece what may have changed since the import began. Throws as
 * `assertRightLasts` does, and `not_found` if the workspace is gone or is being deleted.
 */
export async function assertImportGoesOn<P extends Permission>(
  context: Pick<ReadContext<P>, "caller" | "workspace" | "runtime">,
  storage: Repositories,
  permission: P,
): Promise<void> {
  await assertRightLasts(context, storage, { permission, role: "lockRole" });
  await findStaying(storage, context.workspace.id, context.runtime.queueClock.now());
}
