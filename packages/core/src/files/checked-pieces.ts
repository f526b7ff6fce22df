import { assertSession } from "../calls/assert-session.ts";
import { authorise } from "../calls/authorise.ts";
import type { ReadContext } from "../calls/use-case.ts";
import type { Permission } from "../permissions.ts";

/**
 * The pieces of an export, which its reader may take as slowly as they like, or of a file that is only tried. Each throws as `authorise` does if they lost
 * the permission meanwhile, and `unauthenticated` if their session was revoked.
 */
export function checkedPieces<P extends Permission>(
  { caller, workspace: { id }, storage, piece }: ReadContext<P>,
  permission: P,
): ReadContext["piece"] {
  return (work) =>
    piece(async () => {
      await authorise({ access: permission }, { caller, workspaceId: id }, storage.members.roleOf);
      await assertSession(storage, caller);
      return await work();
    });
}
