import { type ReadContext, useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { SendingWorkspace, SkippedEmail } from "../../ports/storage.ts";
import { findSendingWorkspace } from "../acceptance/find-sending-workspace.ts";
import { previewDecision } from "../acceptance/preview-decision.ts";
import { chargedTo } from "../acceptance/submission.ts";
import type { DraftWarning } from "../submission/email-draft.ts";
import { renderWhole } from "../submission/render-whole.ts";
import { refusalOf } from "../submission/submit-email.ts";
import { assumeWhole, replayed, warningsOf } from "../submission/try-email.ts";
import { skippedOf } from "./batch-faults.ts";
import { batchInput } from "./batch-fields.ts";
import { type CheckedBatch, type CheckedItem, checkBatch } from "./check-batch.ts";
import { createBatchSubmission } from "./create-batch-submission.ts";
import { createItemPause, type ItemPause } from "./create-item-pause.ts";
import { assertSize, type RequestedBatch, readBatch } from "./read-batch.ts";

/** Result of a dry run of a batch. */
export interface BatchDryRun {
  /** Whether the batch would be accepted. */
  wouldSend: boolean;
  /** Reasons against the whole batch, each with the code of the refusal. */
  reasons: ServiceError[];
  /** Every reason against single e-mails; they refuse the batch, or the e-mail is skipped, depending on `onInvalid`. */
  faults: SkippedEmail[];
  /** Number of requested e-mails, and of those that would be sent to at least one recipient. */
  counts: { total: number; accepted: number; suppressed: number };
  /** Recipients counted in the current hour and day before this batch; a limit of 0 means no limit. */
  quota: { hour: { used: number; limit: number }; day: { used: number; limit: number } };
  /** Bytes of the largest rendered e-mail: subject, html with tracked links, text and files, before encoding. */
  sizeBytes: number;
  /** The first warning of each code. */
  warnings: DraftWarning[];
}

/** Returns what `sendBatch` would answer, with all reasons for a refusal. Stores nothing. */
export const dryRunSendBatch = useCase({
  access: "api_key",
  refusals: ["batch_too_large", "payload_too_large", "rate_limited"],
  reads: true,
  onlyAnswers: true,
  input: batchInput,
  async run(context, request): Promise<BatchDryRun> {
    const pause = createItemPause(context, request);
    const asked = await readBatch(request, pause);
    const workspace = await findSendingWorkspace(context);
    const reasons: ServiceError[] = [];
    try {
      assertSize(asked, workspace.limits);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      reasons.push(error);
    }
    const checked = await checkBatch(context, workspace, asked, pause);
    reasons.push(...checked.reasons);
    const skips = request.onInvalid === "skip";
    const sound = checked.items.filter((one) => one.reasons.length === 0);
    const accepted = sound.filter((one) => !(skips && one.isSuppressed));
    const faulty = checked.items.filter((one) => one.reasons.length > 0 || one.isSuppressed);
    const decision = await previewBatch(context, workspace, { asked, accepted }, pause);
    if (decision.reason !== undefined) reasons.push(decision.reason);
    const rendered = await renderAll(context, checked, asked, pause);
    const isRefused = reasons.length > 0 || (!skips && faulty.some((one) => one.reasons.length > 0));
    const warnings = [...decision.warnings, ...rendered.warnings];
    const sent = decision.sent ?? accepted.filter((one) => !one.isSuppressed).length;
    return {
      wouldSend: !isRefused && sent > 0,
      reasons,
      faults: faulty.flatMap((one) => skippedOf(one, asked.list)),
      counts: {
        total: checked.items.length,
        accepted: sent,
        suppressed: checked.items.filter((one) => one.isSuppressed).length,
      },
      quota: {
        hour: { used: decision.used.hour, limit: workspace.limits.hourlyRateLimit },
        day: { used: decision.used.day, limit: workspace.limits.dailyRateLimit },
      },
      sizeBytes: rendered.sizeBytes,
      warnings: [...new Map(warnings.toReversed().map((one) => [one.code, one])).values()].reverse(),
    };
  },
});

interface Decision {
  used: { hour: number; day: number };
  reason: ServiceError | undefined;
  warnings: DraftWarning[];
  /** Number of e-mails that would be sent: none that was sent before. `undefined` if all would be refused. */
  sent: number | undefined;
}

/** Predicts the decision of the accepting transaction. */
async function previewBatch(
  context: ReadContext<"api_key">,
  workspace: SendingWorkspace,
  { asked, accepted }: { asked: RequestedBatch; accepted: CheckedBatch["items"] },
  pause: ItemPause,
): Promise<Decision> {
  const id = context.runtime.newId();
  const { submission } = await createBatchSubmission(
    context,
    workspace,
    { id, asked, accepted: accepted.map(assumed), skipped: [] },
    pause,
  );
  const { outcome, used } = await previewDecision(context.storage, submission);
  if (outcome.kind === "replayed") return { used, reason: undefined, warnings: [replayed], sent: 0 };
  if (outcome.kind !== "accepted")
    return { used, reason: refusalOf(outcome, context.now), warnings: [], sent: undefined };
  const warnings = warningsOf(outcome, asked.request);
  const sent = outcome.items.filter(({ email }) => chargedTo(email) > 0).length;
  return { used, reason: undefined, warnings, sent };
}

const assumed = (one: CheckedItem): CheckedItem => ({
  ...one,
  draft: one.draft && assumeWhole(one.draft),
});

/** Renders one e-mail if all have the same content, otherwise each. */
async function renderAll(
  context: ReadContext<"api_key">,
  { items, lead }: CheckedBatch,
  { list }: RequestedBatch,
  pause: ItemPause,
): Promise<{ sizeBytes: number; warnings: DraftWarning[] }> {
  const drafts = items.flatMap(({ draft }) => draft ?? []);
  const shown = list === "emails" ? drafts : drafts.slice(0, 1);
  const found = { sizeBytes: 0, warnings: [] as DraftWarning[] };
  for (const draft of shown) {
    const whole = { ...draft, files: lead?.files ?? draft.files };
    const { sizeBytes, warnings } = await renderWhole(whole, context);
    found.sizeBytes = Math.max(found.sizeBytes, sizeBytes);
    found.warnings.push(...draft.warnings, ...warnings);
    await pause();
  }
  return found;
}
