import type { ReadContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { SendingContext } from "../../ports/storage.ts";

/** What sending needs to know of the call's workspace. Throws `not_found` where it is gone. */
export async function findSending({
  sending,
  workspace,
}: Pick<ReadContext<"api_key" | "campaigns:write">, "sending" | "workspace">): Promise<SendingContext> {
  const found = await sending.lookups.findSendingContext(workspace.id);
  if (found === undefined) throw new ServiceError("not_found", { message: "There is no such workspace." });
  return found;
}
