import { confirmCaller } from "../../calls/confirm-caller.ts";
import type { ReadContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { bodyDigest, keyHolder, type SubmissionCall } from "./create-submission.ts";
import { sendAssuming } from "./send-assuming.ts";
import { idempotencyLifetimeMs } from "./submission.ts";
import { beginAgain, findFirst, readAnswer, type SentEmail } from "./submit-email.ts";

interface Asked extends SubmissionCall {
  attachments: readonly unknown[];
  dedupeKey?: string | undefined;
  sensitive: boolean;
}

/**
 * Submits a request. If it is refused although its `Idempotency-Key` or `dedupeKey` was used before, returns the
 * earlier answer, because the template, the sender or the time may have changed since (decisions §7). An accepted
 * request needs no further read.
 */
export async function answerOnce(
  context: ReadContext<"api_key">,
  request: Asked,
  send: (context: ReadContext<"api_key">) => Promise<SentEmail>,
): Promise<SentEmail> {
  // Files are stored before the e-mail, and so only for a caller who is confirmed.
  if (context.sending.assume !== undefined && request.attachments.length === 0) {
    const assumed = await sendAssuming(context, send);
    if (assumed !== undefined) return assumed;
  }
  // The key is looked up together with what the send needs.
  void confirmCaller(context);
  try {
    return await beginAgain(() => send(context));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await confirmCaller(context);
    const first = (await findAnswer(context, request)) ?? (await findDeduplicated(context, request));
    if (first === undefined) throw error;
    return first;
  }
}

async function findAnswer(context: ReadContext<"api_key">, request: Asked): Promise<SentEmail | undefined> {
  const { idempotencyKey: key, sensitive } = request;
  if (key === undefined) return undefined;
  const { storage, caller, workspace, now } = context;
  const apiKeyId = caller.kind === "api_key" ? caller.apiKeyId : undefined;
  const holder = keyHolder(apiKeyId, workspace.id);
  const first = await storage.idempotencyKeys.find(holder, key, now - idempotencyLifetimeMs);
  if (first === undefined) return undefined;
  if (first.bodyDigest !== bodyDigest(context, request, sensitive))
    throw new ServiceError("idempotency_key_reused");
  // Without an answer, the first request was answered with an earlier e-mail, which its dedupe key finds again.
  return first.answer === "" ? undefined : readAnswer(first.answer);
}

async function findDeduplicated(
  context: ReadContext<"api_key">,
  { dedupeKey: key }: Asked,
): Promise<SentEmail | undefined> {
  if (key === undefined) return undefined;
  const [first] = await context.storage.dedupeKeys.find(context.workspace.id, [key]);
  return first && findFirst(context, first.emailId);
}
