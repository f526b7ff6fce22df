import type { NewContent, NewEmail, Repositories, Topic } from "../../ports/storage.ts";
import { acceptanceChanges } from "../metrics/metric-changes.ts";
import { decideSubmissions } from "./decide-submissions.ts";
import { findStaying } from "./find-sending-workspace.ts";
import { storeSets } from "./store-sets.ts";
import {
  type Accepted,
  isLimited,
  type Submission,
  type SubmissionItem,
  type SubmissionOutcome,
  usageOf,
} from "./submission.ts";

/**
 * Decides over a batch of submissions and records the accepted ones, in the given transaction; each is accepted as a
 * whole or leaves nothing. No two may have the same key.
 */
export async function acceptSubmissions(
  storage: Repositories,
  submissions: Submission[],
): Promise<SubmissionOutcome[]> {
  // Preparing a large batch takes seconds, in which its workspace may have been marked for deletion. Of smaller ones,
  // what is accepted beside the mark is deleted with the rest.
  for (const submission of submissions)
    if (isLarge(submission)) await findStaying(storage, submission.workspaceId, submission.preparedAt ?? 0);
  const outcomes = await decideSubmissions(storage, submissions);
  const accepted = submissions.flatMap((submission, index): AcceptedSubmission[] => {
    const outcome = outcomes[index];
    return outcome?.kind === "accepted" ? [{ submission, outcome, items: outcome.items }] : [];
  });
  if (!accepted.every(leavesNothing)) await record(storage, accepted);
  return outcomes;
}

export const isLarge = ({ batchOf, items }: Submission): boolean =>
  batchOf !== undefined && items.length > sliceSize;

interface AcceptedSubmission {
  submission: Submission;
  outcome: Accepted;
  items: SubmissionItem[];
}

/** Whether a submission writes nothing. A batch is recorded even without an e-mail. */
const leavesNothing = ({ submission, items }: Pick<AcceptedSubmission, "submission" | "items">): boolean =>
  items.length === 0 && submission.batchOf === undefined;

/** Number of e-mails written in one step; a storage that works on this thread lets other work run between two. */
const sliceSize = 256;

/** Writes accepted submissions. It awaits only ids before writing, so that a remote storage needs one round trip. */
async function record(storage: Repositories, accepted: AcceptedSubmission[]): Promise<void> {
  const items = accepted.flatMap((one) => one.items);
  const usedKeys = new Set(accepted.flatMap(({ submission }) => submission.usedKeyId ?? []));
  const setIds = await storeSets(
    storage,
    items.map(({ email }) => email),
  );
  const answers = accepted.flatMap(({ submission, items }) =>
    submission.idempotency === undefined || leavesNothing({ submission, items })
      ? []
      : { ...submission.idempotency, answer: submission.idempotency.answerFor(items) },
  );
  const written = recordItems(storage, items, setIds);
  const noteUse = (): Promise<void> | undefined =>
    usedKeys.size > 0 ? storage.apiKeys.touch([...usedKeys], accepted[0]?.submission.now ?? 0) : undefined;
  await Promise.all([
    written,
    ...accepted.map(
      ({ submission, outcome }) => submission.batchOf && storage.batches.insert(submission.batchOf(outcome)),
    ),
    // Writing a large batch takes seconds, in which its key's locked row would hold up the key's other sends, all that
    // are accepted together with them, and the key's revocation.
    accepted.some(({ submission }) => isLarge(submission)) ? written.then(noteUse) : noteUse(),
    answers.length > 0 ? storage.idempotencyKeys.answer(answers) : undefined,
    storage.metrics.count(acceptanceChanges(items.map(({ email }) => email))),
    storage.usage.count(
      accepted
        .filter(({ submission }) => !isLimited(submission))
        .map((one) => usageOf(one.submission, one.items)),
    ),
  ]);
}

async function recordItems(
  storage: Repositories,
  items: readonly SubmissionItem[],
  setIds: ReadonlyMap<string, number>,
): Promise<void> {
  // A content shared by many e-mails is stored once, with one statement.
  const contentIds = new Map<NewContent, Promise<number>>();
  const keep = (content: NewContent): Promise<number> => {
    const id = contentIds.get(content) ?? storage.contents.put(content);
    contentIds.set(content, id);
    return id;
  };
  for (let start = 0; start < items.length; start += sliceSize) {
    const slice = items.slice(start, start + sliceSize);
    const deliveries = slice.flatMap((item) => item.deliveries);
    const kept = slice.map(({ email: { content } }) =>
      typeof content === "number" ? content : keep(content),
    );
    const ids = kept.every((id) => typeof id === "number") ? kept : await Promise.all(kept);
    const emails = slice.map(({ email }, index): NewEmail => {
      const contentId = ids[index] as number;
      // Added to the e-mail, because a copy of its 25 fields costs several µs.
      return Object.assign(email, {
        contentId,
        attachmentSetId: email.files && setIds.get(email.files.set.digest),
      });
    });
    await Promise.all([
      storage.emails.insert(emails),
      storage.events.append(slice.flatMap(({ events }) => events)),
      deliveries.length > 0 ? storage.webhookDeliveries.insert(deliveries) : undefined,
    ]);
  }
}

/** Returns the topics to notify once accepted submissions are committed. */
export function topicsOf(outcomes: readonly SubmissionOutcome[]): Topic[] {
  const items = outcomes.flatMap((outcome) => (outcome.kind === "accepted" ? outcome.items : []));
  if (items.length === 0) return [];
  const webhooks = items.some(({ deliveries }) => deliveries.length > 0);
  return webhooks ? ["emails", "events", "webhooks"] : ["emails", "events"];
}
