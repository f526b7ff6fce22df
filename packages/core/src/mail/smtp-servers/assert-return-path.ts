import type { ReadContext } from "../../calls/use-case.ts";
import { fieldError } from "../../errors.ts";

/**
 * Refuses `verp` if no sending domain of the workspace has a verified return path, because bounces would never reach
 * this service.
 */
export async function assertReturnPath(
  { storage, workspace, config }: Pick<ReadContext<"smtp_servers:write">, "storage" | "workspace" | "config">,
  returnPath: string,
): Promise<void> {
  if (returnPath !== "verp") return;
  // As at delivery: what was verified is of no use once the operator has given up the inbound host.
  if (config.inboundHost !== undefined && (await storage.domains.hasReturnPath(workspace.id))) return;
  throw fieldError(
    "returnPath",
    "can't be verp: no sending domain of the workspace has a verified return path",
  );
}
