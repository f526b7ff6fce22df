import { fieldError } from "../../errors.ts";
import type { Repositories } from "../../ports/storage.ts";

/** Refuses `verp` where nothing would ever come back to this service: no sending domain of the workspace has a verified return path. */
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
