import { keyOutcome } from "./decide-submissions.ts";
import type { Submission, SubmissionOutcome } from "./submission.ts";

/** A submission whose outcome is on disk. */
export interface Decided {
  submission: Submission;
  outcome: SubmissionOutcome;
}

/**
 * The outcome of a submission under a key that a decided one has taken, as the storage would answer it; `undefined` if
 * that leaves it open.
 */
export function repeatedOutcome(
  submission: Submission,
  decided: readonly Decided[],
): SubmissionOutcome | undefined {
  for (const one of decided) {
    const outcome = underKey(submission, one) ?? underDedupeKey(submission, one);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

function underKey(
  { idempotency }: Submission,
  { submission: { idempotency: taken }, outcome }: Decided,
): SubmissionOutcome | undefined {
  if (idempotency === undefined || taken === undefined) return undefined;
  if (idempotency.key !== taken.key || idempotency.apiKeyId !== taken.apiKeyId) return undefined;
  if (outcome.kind === "replayed")
    return idempotency.bodyDigest === taken.bodyDigest ? outcome : { kind: "reused" };
  if (outcome.kind !== "accepted") return undefined;
  const { bodyDigest } = taken;
  return keyOutcome(idempotency.bodyDigest, { bodyDigest, answer: taken.answerFor(outcome.items) });
}

/** Only of a single e-mail without another key: nothing else is then to be decided. */
function underDedupeKey(submission: Submission, decided: Decided): SubmissionOutcome | undefined {
  const [item, ...others] = submission.items;
  if (item?.dedupeKey === undefined || others.length > 0) return undefined;
  if (submission.idempotency !== undefined || submission.batchOf !== undefined) return undefined;
  const { outcome } = decided;
  if (outcome.kind !== "accepted" || submission.workspaceId !== decided.submission.workspaceId)
    return undefined;
  const same = decided.submission.items.find(({ dedupeKey }) => dedupeKey === item.dedupeKey);
  if (same === undefined) return undefined;
  const first = outcome.duplicates.get(same.email.id) ?? same.email.id;
  return { kind: "accepted", items: [], duplicates: new Map([[item.email.id, first]]) };
}
