import type { ReadContext } from "../calls/use-case.ts";
import { ServiceError } from "../errors.ts";
import { assertStays } from "../mail/submission/find-sending.ts";
import { allows, type Permission } from "../permissions.ts";
import type { Repositories } from "../ports/storage.ts";

/**
 * Checks in the transaction of an import's next piece what may have changed since the import began. Throws `forbidden`
 * if the caller lost the permission, and `not_found` if the workspace is gone or is being deleted.
 */
export async function assertImportGoesOn<P extends Permission>(
  { caller, workspace, runtime }: Pick<ReadContext<P>, "caller" | "workspace" | "runtime">,
  storage: Repositories,
  permission: P,
): Promise<void> {
  if (caller.kind === "user") {
    const role = await storage.members.lockRole(workspace.id, caller.userId);
    if (role === undefined || !allows(role, permission)) throw new ServiceError("forbidden");
  }
  const [found] = await storage.apiKeys.findSendingContexts([workspace.id]);
  assertStays(found, runtime.queueClock.now());
}
