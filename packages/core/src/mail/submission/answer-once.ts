import { confirmCaller } from "../../calls/confirm-caller.ts";
import type { ReadContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { SubmissionCall } from "./create-submission.ts";
import { findFormer } from "./find-former.ts";
import { sendAssuming } from "./send-assuming.ts";
import { beginAgain, findFirst, readAnswer, refusalOf, type SentEmail } from "./submit-email.ts";

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
  if (context.acceptance.assume !== undefined && request.attachments.length === 0) {
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
  const former = await findFormer(context, request, request.sensitive);
  if (former?.kind === "reused") throw refusalOf(former, context.now);
  return former && readAnswer(former.answer);
}

async function findDeduplicated(
  context: ReadContext<"api_key">,
  { dedupeKey: key }: Asked,
): Promise<SentEmail | undefined> {
  if (key === undefined) return undefined;
  const [first] = await context.storage.dedupeKeys.find(context.workspace.id, [key]);
  return first && findFirst(context, first.emailId);
}
