import { assertSession } from "../calls/assert-session.ts";
import { authorise } from "../calls/authorise.ts";
import type { ReadContext } from "../calls/use-case.ts";
import type { Permission } from "../permissions.ts";
import type { Repositories } from "../ports/storage.ts";

/**
 * Checks before the next piece of a file what its caller may have lost since it began; `role` looks their role up, or
 * locks it. Throws as `authorise` does if they lost the permission, and `unauthenticated` if their session was revoked or,
 * of what is only read, has expired: a slow reader could make an export last for days.
 */
export async function assertRightLasts<P extends Permission>(
  { caller, workspace: { id }, runtime }: Pick<ReadContext<P>, "caller" | "workspace" | "runtime">,
  storage: Repositories,
  { permission, role }: { permission: P; role: "roleOf" | "lockRole" },
): Promise<void> {
  await authorise({ access: permission }, { caller, workspaceId: id }, storage.members[role]);
  await assertSession(storage, caller, role === "roleOf" ? runtime.now() : undefined);
}
