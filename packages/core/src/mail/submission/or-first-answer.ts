import type { ReadContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { EmailView } from "../emails/email-view.ts";
import { idempotencyKeptFor } from "./accept-orders.ts";
import { bodyDigest, keyHolder } from "./order-email.ts";

/**
 * Has a request accepted. Where it is refused although its `Idempotency-Key` came before, what was answered then stands: the template,
 * the sender or the time may since have become another (decisions §7). A request that is accepted costs no further read.
 */
export async function orFirstAnswer(
  context: ReadContext<"api_key">,
  request: { idempotencyKey?: string | undefined },
  send: () => Promise<EmailView>,
): Promise<EmailView> {
  try {
    return await send();
  } catch (error) {
    const { idempotencyKey: key } = request;
    if (key === undefined || !(error instanceof ServiceError)) throw error;
    const { storage, caller, workspace, now } = context;
    const apiKeyId = caller.kind === "api_key" ? caller.apiKeyId : undefined;
    const first = await storage.idempotencyKeys.find(
      keyHolder(apiKeyId, workspace.id),
      key,
      now - idempotencyKeptFor,
    );
    if (first === undefined) throw error;
    if (first.bodyDigest !== bodyDigest(request)) throw new ServiceError("idempotency_key_reused");
    return JSON.parse(first.answer) as EmailView;
  }
}
