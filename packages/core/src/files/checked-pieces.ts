import type { ReadContext } from "../calls/use-case.ts";
import type { Permission } from "../permissions.ts";
import { assertRightLasts } from "./assert-right-lasts.ts";

/**
 * The pieces of an export, which its reader may take as slowly as they like, or of a file that is only tried. Each throws
 * as `assertRightLasts` does.
 */
export function checkedPieces<P extends Permission>(
  context: ReadContext<P>,
  permission: P,
): ReadContext["piece"] {
  return (work) =>
    context.piece(async () => {
      await assertRightLasts(context, context.storage, { permission, role: "roleOf" });
      return await work();
    });
}
