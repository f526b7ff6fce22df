import type { ReadContext } from "../../calls/use-case.ts";
import type { SendingWorkspace, SkippedEmail } from "../../ports/storage.ts";
import { previewDecision } from "../acceptance/preview-decision.ts";
import type {
  Accepted,
  Submission,
  SubmissionItem,
  SubmissionOutcome,
  SubmittedEmail,
} from "../acceptance/submission.ts";
import { storeFiles } from "../attachments/store-files.ts";
import { createItem, submissionOf } from "../submission/create-submission.ts";
import type { EmailDraft } from "../submission/email-draft.ts";
import { sealContent } from "../submission/sealed-content.ts";
import type { CheckedBatch, CheckedItem } from "./check-batch.ts";
import type { ItemPause } from "./create-item-pause.ts";
import type { RequestedBatch } from "./read-batch.ts";
import { storeOwnFiles } from "./store-own-files.ts";

type Context = ReadContext<"api_key">;

/** A batch that is about to be accepted. */
export interface SubmittedBatch {
  submission: Submission;
  /** Returns the items without an e-mail, including those whose dedupe key was already used. */
  skippedOf(outcome: Accepted): SkippedEmail[];
}

/** Makes the submission of a batch: all e-mails in one transaction, with one charge and one row for the batch. */
export async function createBatchSubmission(
  context: Context,
  workspace: SendingWorkspace,
  batch: {
    id: string;
    asked: RequestedBatch;
    accepted: readonly CheckedItem[];
    skipped: readonly SkippedEmail[];
  },
  pause: ItemPause,
): Promise<SubmittedBatch> {
  const { id, asked, accepted, skipped } = batch;
  const items: SubmissionItem[] = [];
  const checkedOf = new Map<string, CheckedItem>();
  for (const checked of accepted) {
    const { draft, item } = checked;
    if (draft?.from === undefined) throw new TypeError("an e-mail of a batch was accepted without a sender");
    const made = createItem(context, draft, draft.from, asked.request);
    items.push({ ...made, email: { ...made.email, batchId: id, batchIndex: item.index } });
    checkedOf.set(draft.id, checked);
    await pause();
  }
  const skippedOf = ({ duplicates }: Accepted): SkippedEmail[] => {
    const again = [...duplicates].map(([own, first]) => deduplicated(checkedOf.get(own), first));
    return [...skipped, ...again].sort((a, b) => a.index - b.index);
  };
  const { call, isSensitive, items: all } = asked;
  const submission = submissionOf(context, { workspace }, items, {
    call,
    answerFor: () => answerText(id),
    isSensitive,
    batchOf: (outcome) => ({
      id,
      workspaceId: workspace.workspaceId,
      apiKeyId: context.caller.kind === "api_key" ? context.caller.apiKeyId : undefined,
      total: all.length,
      accepted: outcome.items.length,
      skipped: skippedOf(outcome),
      createdAt: context.now,
    }),
  });
  return { submission, skippedOf };
}

/**
 * Makes the text stored for an `Idempotency-Key`: only the batch's id, as ten thousand e-mails would take a megabyte.
 */
const answerText = (batchId: string): string => JSON.stringify({ batchId });
export const readAnswer = (text: string): string => (JSON.parse(text) as { batchId: string }).batchId;

const deduplicated = (checked: CheckedItem | undefined, first: string): SkippedEmail => {
  const { index = 0, to = "", key } = checked?.item ?? {};
  const message = "An e-mail was sent before with this dedupe_key.";
  const where = { index, to, ...(key === undefined ? {} : { key }) };
  return { ...where, code: "deduplicated", message, details: { email_id: first } };
};

/**
 * Stores the files of the request, shared ones once, and returns the batch with them. If it would be refused, nothing is
 * stored, and the refusal is returned. E-mails whose dedupe key was used before are not sent, whatever becomes of the key
 * until the batch is accepted: their files are not stored.
 */
export async function storeBatchFiles(
  context: Context,
  batch: SubmittedBatch,
  { items, lead }: CheckedBatch,
): Promise<SubmittedBatch | Exclude<SubmissionOutcome, Accepted>> {
  const { submission } = batch;
  const drafts = new Map(items.flatMap(({ draft }) => (draft === undefined ? [] : [[draft.id, draft]])));
  const holdsFiles = lead !== undefined || [...drafts.values()].some(({ files }) => files.files.length > 0);
  if (!holdsFiles) return batch;
  const holdsInline = lead?.files.holdsInline ?? [...drafts.values()].some(({ files }) => files.holdsInline);
  let sent: Accepted["duplicates"] = new Map();
  if (holdsInline) {
    const { outcome } = await previewDecision(context.storage, submission);
    if (outcome.kind !== "accepted") return outcome;
    sent = outcome.duplicates;
  }
  const open = submission.items.filter(({ email }) => !sent.has(email.id));
  const shared =
    lead !== undefined && open.length > 0
      ? await storeFiles(context, lead.files, {
          isSensitive: lead.fields.sensitive,
          workspaceId: context.workspace.id,
        })
      : undefined;
  const owners = lead === undefined ? open.flatMap(({ email }) => drafts.get(email.id) ?? []) : [];
  const own = await storeOwnFiles(context, owners);
  const withFiles = open.map((item): SubmissionItem => {
    const { email } = item;
    const files = lead === undefined ? own.get(email.id) : shared;
    return { ...item, email: withSealed(context, { ...email, files }, drafts.get(email.id)) };
  });
  return leaveOut({ ...batch, submission: { ...submission, items: withFiles } }, sent);
}

/** Names the e-mails that were sent before, and are no longer part of the submission, among those that are skipped. */
function leaveOut({ submission, skippedOf }: SubmittedBatch, sent: Accepted["duplicates"]): SubmittedBatch {
  if (sent.size === 0) return { submission, skippedOf };
  const withSent = (outcome: Accepted): Accepted => {
    // The first of several with one key may have been found to be sent since.
    const before = [...sent].map(([own, first]) => [own, outcome.duplicates.get(first) ?? first] as const);
    return { ...outcome, duplicates: new Map([...before, ...outcome.duplicates]) };
  };
  const { batchOf } = submission;
  return {
    submission: { ...submission, batchOf: batchOf && ((outcome) => batchOf(withSent(outcome))) },
    skippedOf: (outcome) => skippedOf(withSent(outcome)),
  };
}

/** Returns the e-mail with a payload that seals its own files as well. */
function withSealed(context: Context, email: SubmittedEmail, draft: EmailDraft | undefined): SubmittedEmail {
  if (draft === undefined || email.files?.sealed === undefined) return email;
  const data = sealContent(context.runtime, email.id, { ...draft, keptFiles: email.files });
  return { ...email, payload: { ...email.payload, data } };
}
