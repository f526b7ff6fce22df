import { isLocked } from "../../ports/is-locked.ts";
import { type Storage, StorageUnavailable } from "../../ports/storage.ts";
import type { Turns } from "../../ports/turns.ts";
import { acceptSubmissions } from "./accept-submissions.ts";
import type { Apart } from "./create-apart.ts";
import {
  isLarge,
  isLimited,
  keysOf,
  type Submission,
  type SubmissionOutcome,
  usageOf,
} from "./submission.ts";

/** A submission to commit, and who waits for its outcome. */
export interface Waiting {
  submission: Submission;
  /** Since when, by `performance.now()`. */
  since: number;
  /** Whether it comes a second time, as others' locks were in its first batch's way. */
  isAgain?: boolean;
  resolve: (outcome: SubmissionOutcome | Promise<SubmissionOutcome>) => void;
  reject: (error: unknown) => void;
}

/**
 * What came of a submission: its outcome, once it is on disk; the error of the storage; that it is to come again, with
 * the next batch; or what is accepted apart.
 */
export type Result =
  | { outcome: SubmissionOutcome }
  | { error: unknown }
  | { again: true }
  | { later: Promise<SubmissionOutcome> };

/** Workspaces whose counters stay locked until a large batch of theirs is committed. */
export type Locked = Set<number>;

/** What a commit needs to know. */
export interface Committing {
  storage: Storage;
  locked: Locked;
  apart: Apart | undefined;
  /** Turns for transactions, if others keep rows locked that they need: a key, or all of their workspace. */
  turns: Turns | undefined;
  /** Until when, by `performance.now()`, no batch is committed in parts: of one none got through, and no batch since. */
  wholeUntil: number;
}

type Answer = (one: Waiting, result: Result) => void;

/** Commits a batch, and answers each submission once it is committed or refused. Returns how many were. */
export const commit = (means: Committing, batch: Waiting[], answer: Answer): Promise<number> =>
  means.turns === undefined
    ? commitTogether(means, batch, answer)
    : commitSingly(means, means.turns, batch, answer);

async function commitTogether(means: Committing, batch: Waiting[], answer: Answer): Promise<number> {
  let outcomes: SubmissionOutcome[];
  try {
    outcomes = await accept(means, batch);
  } catch (error) {
    return commitLess(means, batch, { error, answer });
  }
  means.wholeUntil = Number.NEGATIVE_INFINITY;
  for (const [index, one] of batch.entries()) answer(one, { outcome: outcomes[index] as SubmissionOutcome });
  return batch.length;
}

/** Accepts a batch in one transaction. */
async function accept({ storage, locked }: Committing, batch: Waiting[]): Promise<SubmissionOutcome[]> {
  const submissions = batch.map(({ submission }) => submission);
  const locking: number[] = [];
  try {
    // Writing a large batch takes seconds, in which its workspace's locked counters would hold up the other sends of that
    // workspace, and all that are accepted together with them.
    for (const submission of submissions)
      if (isLarge(submission) && isLimited(submission)) {
        const isAside = await storage.usage.setAside(usageOf(submission, submission.items));
        if (!isAside) locking.push(submission.workspaceId);
      }
    for (const id of locking) locked.add(id);
    return await storage.transaction((repositories) => acceptSubmissions(repositories, submissions));
  } finally {
    for (const id of locking) locked.delete(id);
  }
}

/** Commits what can be of a batch that failed as a whole, in which nothing was written. */
async function commitLess(
  means: Committing,
  batch: Waiting[],
  { error, answer }: { error: unknown; answer: Answer },
): Promise<number> {
  if (isLocked(error)) {
    const byWorkspace = Map.groupBy(batch, ({ submission }) => submission.workspaceId);
    if (byWorkspace.size > 1 && performance.now() >= means.wholeUntil)
      return commitEach(means, keyedLast([...byWorkspace.values()]), (one, result) =>
        answer(one, result ?? (one.isAgain ? { error } : { again: true })),
      );
    for (const id of byWorkspace.keys()) means.apart?.add(id);
    const accept = batch.length > 1 ? means.apart?.of(batch[0]?.submission.workspaceId ?? 0) : undefined;
    if (accept !== undefined && byWorkspace.size === 1) {
      for (const one of batch) answer(one, { later: accept(one.submission, one.since) });
      return 0;
    }
  }
  if (batch.length > 1 && !(error instanceof StorageUnavailable)) {
    // One submission may fail the whole batch, such as one whose workspace was just deleted, so each is committed
    // alone.
    let committed = 0;
    for (const one of batch) committed += await commit(means, [one], answer);
    return committed;
  }
  for (const one of batch) answer(one, { error });
  return 0;
}

/** Commits at a time, of parts of a batch: one may wait for locks of others, while the next are committed. */
const commitsAtOnce = 3;
/** Ms for which batches are committed as a whole after one of which no part got through. */
const wholeMs = 10_000;

/**
 * Commits the parts of a batch by themselves. If the first get nowhere, whole tables may be locked: the others are
 * answered without a `result` of their own, as each try takes as long.
 */
async function commitEach(
  means: Committing,
  parts: Waiting[][],
  answer: (one: Waiting, result: Result | undefined) => void,
): Promise<number> {
  let committed = 0;
  let begun = 0;
  const work = async (): Promise<void> => {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      begun += 1;
      const isVain = begun > commitsAtOnce && committed === 0;
      if (isVain) {
        for (const one of part) answer(one, undefined);
        continue;
      }
      const count = await commit(means, part, answer);
      committed += count;
    }
  };
  await Promise.all(Array.from({ length: commitsAtOnce }, work));
  if (committed === 0) means.wholeUntil = performance.now() + wholeMs;
  return committed;
}

const isKeyed = ({ submission }: Waiting): number => Math.min(1, keysOf(submission).length);

/** Those with a key last, which an open transaction may have taken: what waits for it must not fail the others. */
const keyedLast = (parts: Waiting[][]): Waiting[][] => {
  const hasKey = (part: Waiting[]): number => Math.max(...part.map(isKeyed));
  return parts.toSorted((a, b) => hasKey(a) - hasKey(b));
};

/** Submissions of one workspace that fail before the others are answered with the same: all of it may be locked. */
const maxFailures = 2;
/**
 * Ms for which a submission may have waited when its transaction begins: twice as long as for a lock. Everybody is to have
 * an answer within 5 s.
 */
const begunWithinMs = 3_100;

export const lockedByOthers = (): StorageUnavailable =>
  new StorageUnavailable("other transactions keep this workspace locked", { isLocked: true });

/**
 * Commits each of a workspace's submissions by itself, in turn with other workspaces; those with a key last, which an open
 * transaction may have taken.
 */
async function commitSingly(
  means: Committing,
  turns: Turns,
  batch: Waiting[],
  answer: Answer,
): Promise<number> {
  let committed = 0;
  const failures: unknown[] = [];
  const note: Answer = (one, result) => {
    if ("error" in result) failures.push(result.error);
    answer(one, result);
  };
  const isVain = ({ since }: Waiting): boolean =>
    failures.length >= maxFailures || performance.now() - since > begunWithinMs;
  for (const one of batch.toSorted((a, b) => isKeyed(a) - isKeyed(b))) {
    const leave = isVain(one) ? undefined : await turns.enter().catch(() => undefined);
    try {
      if (leave !== undefined && !isVain(one)) committed += await commitTogether(means, [one], note);
      else note(one, { error: failures[0] ?? lockedByOthers() });
    } finally {
      leave?.();
    }
  }
  return committed;
}
