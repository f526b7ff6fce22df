import type { Repositories } from "../../ports/storage.ts";
import { deferItems } from "./defer-items.ts";
import {
  type Accepted,
  idempotencyLifetimeMs,
  isLimited,
  type Submission,
  type SubmissionOutcome,
  usageOf,
} from "./submission.ts";

/**
 * Decides each submission: whether its keys were used before, and whether its plan has room. Reserves keys and quota
 * for the accepted ones. Runs in the transaction that records them.
 */
export async function decideSubmissions(
  storage: Repositories,
  submissions: Submission[],
): Promise<SubmissionOutcome[]> {
  const outcomes = new Map<Submission, SubmissionOutcome>();
  const isOpen = (submission: Submission): boolean =>
    (outcomes.get(submission)?.kind ?? "accepted") === "accepted";
  await takeKeys(storage, submissions, outcomes);
  await takeDedupeKeys(storage, submissions.filter(isOpen), outcomes);
  await charge(
    storage,
    submissions.filter((submission) => isOpen(submission) && isLimited(submission)),
    outcomes,
  );
  return submissions.map((submission) => outcomes.get(submission) ?? acceptedWhole(submission));
}

const acceptedWhole = (submission: Submission): Accepted => ({
  kind: "accepted",
  items: submission.items,
  duplicates: new Map(),
});

/** Returns the part of a submission that is accepted so far. */
const soFar = (submission: Submission, outcomes: Map<Submission, SubmissionOutcome>): Accepted => {
  const outcome = outcomes.get(submission);
  return outcome?.kind === "accepted" ? outcome : acceptedWhole(submission);
};

async function takeKeys(
  storage: Repositories,
  submissions: Submission[],
  outcomes: Map<Submission, SubmissionOutcome>,
): Promise<void> {
  const keyed = submissions.flatMap((submission) =>
    submission.idempotency === undefined ? [] : [{ submission, ...submission.idempotency }],
  );
  const first = keyed[0];
  if (first === undefined) return;
  const kept = await storage.idempotencyKeys.reserve(
    // The answer is written together with the e-mails.
    keyed.map(({ submission, apiKeyId, key, bodyDigest }) => ({
      apiKeyId,
      key,
      bodyDigest,
      answer: "",
      createdAt: submission.now,
    })),
    first.submission.now - idempotencyLifetimeMs,
  );
  for (const [index, { submission, bodyDigest }] of keyed.entries()) {
    const former = kept[index];
    const outcome = former && keyOutcome(bodyDigest, former);
    if (outcome !== undefined) outcomes.set(submission, outcome);
  }
}

/**
 * Returns the outcome of a request whose key was used before; `undefined` if the first one was answered with an earlier
 * e-mail. That one keeps its key without an answer: a repetition looks the e-mail up again by its dedupe key.
 */
export function keyOutcome(
  bodyDigest: string,
  former: { bodyDigest: string; answer: string },
): Extract<SubmissionOutcome, { kind: "replayed" | "reused" }> | undefined {
  if (former.bodyDigest !== bodyDigest) return { kind: "reused" };
  return former.answer === "" ? undefined : { kind: "replayed", answer: former.answer };
}

/** Removes the e-mails whose dedupe key belongs to an earlier one. */
async function takeDedupeKeys(
  storage: Repositories,
  submissions: Submission[],
  outcomes: Map<Submission, SubmissionOutcome>,
): Promise<void> {
  const keyed = submissions.flatMap((submission) =>
    submission.items.flatMap(({ email, dedupeKey }) =>
      dedupeKey === undefined
        ? []
        : [
            {
              workspaceId: submission.workspaceId,
              key: dedupeKey,
              emailId: email.id,
              createdAt: submission.now,
            },
          ],
    ),
  );
  if (keyed.length === 0) return;
  const firsts = await storage.dedupeKeys.reserve(keyed);
  const taken = new Map(
    keyed.flatMap(({ emailId }, index) => {
      const first = firsts[index];
      return first === undefined ? [] : [[emailId, first] as const];
    }),
  );
  if (taken.size === 0) return;
  for (const submission of submissions) {
    const items = submission.items.filter(({ email }) => !taken.has(email.id));
    if (items.length === submission.items.length) continue;
    const duplicates = new Map(
      submission.items.flatMap(({ email: { id } }) => {
        const first = taken.get(id);
        return first === undefined ? [] : [[id, first] as const];
      }),
    );
    outcomes.set(submission, { kind: "accepted", items, duplicates });
  }
}

async function charge(
  storage: Repositories,
  limited: Submission[],
  outcomes: Map<Submission, SubmissionOutcome>,
): Promise<void> {
  const submissions = limited.filter((submission) => soFar(submission, outcomes).items.length > 0);
  if (submissions.length === 0) return;
  const charges = submissions.map((submission) => usageOf(submission, soFar(submission, outcomes).items));
  const usages = await storage.usage.reserve(charges);
  for (const [index, submission] of submissions.entries()) {
    const usage = usages[index];
    if (usage === undefined || usage.allowed) continue;
    const isDeferred = submission.whenLimited === "defer";
    const accepted = soFar(submission, outcomes);
    const items = isDeferred ? await deferItems(storage, submission, accepted.items) : undefined;
    if (items === undefined) {
      const { recipients = 0 } = charges[index] ?? {};
      outcomes.set(
        submission,
        isDeferred ? { kind: "never_opens" } : { kind: "over_limit", usage: { ...usage, recipients } },
      );
      await giveBack(storage, submission);
      continue;
    }
    outcomes.set(submission, { ...accepted, items });
  }
}

/** Releases the keys of a refused submission. */
async function giveBack(
  storage: Repositories,
  { workspaceId, items, idempotency }: Submission,
): Promise<void> {
  if (idempotency !== undefined) await storage.idempotencyKeys.release([idempotency]);
  await storage.dedupeKeys.release(
    items.flatMap(({ email, dedupeKey }) =>
      dedupeKey === undefined ? [] : [{ workspaceId, key: dedupeKey, emailId: email.id }],
    ),
  );
}
