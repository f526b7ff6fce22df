import { fieldError } from "../../errors.ts";
import type { Repositories } from "../../ports/storage.ts";

/**
 * Refuses `verp` if no sending domain of the workspace has a verified return path, because bounces would never reach
 * this service.
 */
export async function assertReturnPath(
  { domains }: Pick<Repositories, "domains">,
  workspaceId: number,
  returnPath: string,
): Promise<void> {
  if (returnPath !== "verp" || (await domains.hasReturnPath(workspaceId))) return;
  throw fieldError(
    "returnPath",
    "can't be verp: no sending domain of the workspace has a verified return path",
  );
}
