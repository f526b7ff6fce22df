import type { NewContent, NewEmail, Repositories } from "../../ports/storage.ts";
import { storeSets } from "../attachments/store-sets.ts";
import { acceptanceChanges } from "../metrics/metric-changes.ts";
import {
  type Accepted,
  isLarge,
  isLimited,
  type Submission,
  type SubmissionItem,
  sliceSize,
  usageOf,
} from "./submission.ts";

/** A submission, and what of it is to be recorded. */
export interface AcceptedSubmission {
  submission: Submission;
  outcome: Accepted;
}

/** Whether a submission writes nothing. A batch is recorded even without an e-mail. */
export const leavesNothing = ({ submission, outcome }: AcceptedSubmission): boolean =>
  outcome.items.length === 0 && submission.batchOf === undefined;

/** Writes accepted submissions. It awaits only ids before writing, so that a remote storage needs one round trip. */
export async function recordSubmissions(
  storage: Repositories,
  accepted: AcceptedSubmission[],
): Promise<void> {
  const items = accepted.flatMap(({ outcome }) => outcome.items);
  const usedKeys = new Set(accepted.flatMap(({ submission }) => submission.usedKeyId ?? []));
  const setIds = await storeSets(
    storage,
    items.map(({ email }) => email),
  );
  const answers = accepted.flatMap((one) => {
    const { idempotency } = one.submission;
    return idempotency === undefined || leavesNothing(one)
      ? []
      : { ...idempotency, answer: idempotency.answerFor(one.outcome.items) };
  });
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
        .map((one) => usageOf(one.submission, one.outcome.items)),
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
