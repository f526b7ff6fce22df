import type { ReadContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { SendingContext } from "../../ports/storage.ts";

/** Returns the data of the call's workspace that sending needs. Throws `not_found` if the workspace is gone. */
export async function findSending({
  sending,
  workspace,
}: Pick<ReadContext<"api_key" | "campaigns:write">, "sending" | "workspace">): Promise<SendingContext> {
  const found = await sending.lookups.findSendingContext(workspace.id);
  if (found === undefined) throw new ServiceError("not_found", { message: "There is no such workspace." });
  return found;
}
