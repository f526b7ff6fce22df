import { type ReadContext, useCase } from "../../calls/use-case.ts";
import { findSendingWorkspace } from "../acceptance/find-sending-workspace.ts";
import type { SubmissionOutcome } from "../acceptance/submission.ts";
import { findFormer } from "../submission/find-former.ts";
import { fileRefusals, senderRefusals, templateRefusals } from "../submission/send-refusals.ts";
import { beginAgain, refusalOf as refusalOfSubmission, submit } from "../submission/submit-email.ts";
import { answerOf, repeatAnswer, type SentBatch } from "./batch-answer.ts";
import { refusalOf, skippedOf } from "./batch-faults.ts";
import { type BatchRequest, batchInput } from "./batch-fields.ts";
import { checkBatch } from "./check-batch.ts";
import { createBatchSubmission, readAnswer, storeBatchFiles } from "./create-batch-submission.ts";
import { createItemPause } from "./create-item-pause.ts";
import { assertSize, type RequestedBatch, readBatch } from "./read-batch.ts";

type Context = ReadContext<"api_key">;

/**
 * Accepts up to 10,000 e-mails at once: one for each of `recipients`, or `emails` that differ (platform.md P2). All of
 * them or none, unless `on_invalid` is `skip`; a suppressed recipient does not affect the others.
 */
export const sendBatch = useCase({
  access: "api_key",
  refusals: [
    ...senderRefusals,
    ...fileRefusals,
    ...templateRefusals,
    "batch_too_large",
    "deadline_passed",
    "idempotency_key_reused",
    "limit_never_opens",
    "no_smtp_server",
    "payload_too_large",
    "rate_limited",
  ],
  reads: true,
  input: batchInput,
  run: (context, request): Promise<SentBatch> => beginAgain(() => acceptBatch(context, request)),
});

async function acceptBatch(context: Context, request: BatchRequest): Promise<SentBatch> {
  const pause = createItemPause(context, request);
  const asked = await readBatch(request, pause);
  // First, because reading thousands of rows costs less than checking thousands of e-mails.
  const former = await findFormer(context, asked.call, asked.isSensitive);
  if (former !== undefined) return answerAgain(context, asked, former);
  const workspace = await findSendingWorkspace(context);
  assertSize(asked, workspace.limits);
  const checked = await checkBatch(context, workspace, asked, pause);
  const [wide] = checked.reasons;
  if (wide !== undefined) throw wide;
  const faulty = checked.items.filter(({ reasons }) => reasons.length > 0);
  const skips = request.onInvalid === "skip";
  if (!skips && faulty.length > 0) throw refusalOf(faulty, asked.list);
  const isOut = (one: (typeof checked.items)[number]): boolean =>
    one.reasons.length > 0 || (skips && one.isSuppressed);
  const batchId = context.runtime.newId();
  const skipped = checked.items.filter(isOut).flatMap((one) => skippedOf(one, asked.list).slice(0, 1));
  const accepted = checked.items.filter((one) => !isOut(one));
  const created = await createBatchSubmission(
    context,
    workspace,
    { id: batchId, asked, accepted, skipped },
    pause,
  );
  const submitted = await storeBatchFiles(context, created, checked);
  if ("kind" in submitted) return answerAgain(context, asked, submitted);
  const outcome = await submit(context, submitted.submission);
  if (outcome.kind !== "accepted") return answerAgain(context, asked, outcome);
  // The commit took one turn of the event loop; serialising the answer gets another.
  await context.yieldThread();
  const answer = answerOf(batchId, asked, outcome, submitted.skippedOf(outcome));
  await context.yieldThread();
  return answer;
}

type Refused = Exclude<SubmissionOutcome, { kind: "accepted" }>;

async function answerAgain(context: Context, asked: RequestedBatch, outcome: Refused): Promise<SentBatch> {
  if (outcome.kind !== "replayed") throw refusalOfSubmission(outcome, context.now);
  const { storage, workspace, runtime } = context;
  const batchId = readAnswer(outcome.answer);
  return repeatAnswer(storage, asked, { workspaceId: workspace.id, batchId, now: runtime.queueClock.now() });
}
