import { setImmediate } from "node:timers";
import type { NewEvent } from "../../ports/storage/events.ts";
import { type Storage, StorageUnavailable } from "../../ports/storage.ts";
import { acceptSubmissions, isLarge, topicsOf } from "./accept-submissions.ts";
import { createAwaitMore } from "./await-more.ts";
import { type Apart, createApart } from "./create-apart.ts";
import { type Decided, repeatedOutcome } from "./repeated-outcome.ts";
import { isLimited, type Submission, type SubmissionOutcome, usageOf } from "./submission.ts";

/** Maximum e-mails per commit, unless a single submission has more. */
export const batchLimit = 256;
/** Maximum turns of the event loop over which a batch is gathered. */
const gatherTicks = 10;

/** Accepts submissions durably: those waiting in the same tick share one commit, and none is answered before it. */
export interface Acceptor {
  /** Resolves once the submission is on disk or refused. Rejects if the storage can't tell. */
  accept(submission: Submission): Promise<SubmissionOutcome>;
  /** Whether a submission is not answered yet. */
  isBusy(): boolean;
}

interface Waiting {
  submission: Submission;
  resolve: (outcome: SubmissionOutcome) => void;
  reject: (error: unknown) => void;
}

/** What came of a submission: its outcome, once it is on disk, or the error of the storage. */
type Result = { outcome: SubmissionOutcome } | { error: unknown };

/** Workspaces whose counters stay locked until a large batch of theirs is committed. */
type Locked = Set<number>;

/**
 * Creates an acceptor of few e-mails at a time and one of many, because a single e-mail must not wait behind a batch of
 * thousands. While such a batch keeps its workspace's counters locked, what else charges them waits behind it: taken with
 * others, it would hold up those of all workspaces, until they are answered 503. So would the submissions of a workspace
 * that somebody else keeps locked, which are accepted apart.
 */
export function createAcceptors(
  storage: Storage,
  tell: (events: NewEvent[]) => void,
): Record<"few" | "many", Acceptor> {
  const locked: Locked = new Set();
  const apart = createApart(() => createAcceptor(storage, tell).accept);
  const many = createAcceptor(storage, tell, { locked });
  const few = createAcceptor(storage, tell, { locked, behind: many, apart });
  return {
    many,
    few: { ...few, isBusy: () => locked.size > 0 || few.isBusy() },
  };
}

/**
 * Creates an acceptor with one batch in progress; submissions that arrive meanwhile form the next one. Those that would
 * wait for a locked counter are left to `behind`, and those of workspaces that others keep locked to `apart`.
 */
export function createAcceptor(
  storage: Storage,
  tell: (events: NewEvent[]) => void,
  { locked = new Set(), behind, apart }: { locked?: Locked; behind?: Acceptor; apart?: Apart } = {},
): Acceptor {
  let waiting: Waiting[] = [];
  /** Submissions of the batch that are not answered yet. */
  let underWay = 0;
  let isDraining = false;
  // A storage in this process has a small fixed cost, and its commits wait for other writers rather than for the machine.
  const more = storage.isRemote ? createAwaitMore() : undefined;
  const means: Committing = { storage, locked, apart, wholeUntil: Number.NEGATIVE_INFINITY };

  /**
   * Requests that arrived together reach this point over a few ticks: the commit waits as long as more than `seen`
   * arrive.
   */
  async function gather(seen: number): Promise<void> {
    for (
      let ticks = 0;
      ticks < gatherTicks && waiting.length > seen && waiting.length < batchLimit;
      ticks += 1
    ) {
      seen = waiting.length;
      await nextTick();
    }
  }

  /** What accepts a submission that would wait here for locks of others. */
  function elsewhere(submission: Submission): Acceptor["accept"] | undefined {
    const { workspaceId } = submission;
    const isBehind = isLimited(submission) && locked.has(workspaceId);
    return apart?.of(workspaceId) ?? (isBehind ? behind?.accept : undefined);
  }

  /** Leaves to the other acceptors what would wait for locks of others. */
  function leaveAside(): void {
    if (locked.size === 0 && (apart?.size ?? 0) === 0) return;
    waiting = waiting.filter(({ submission, resolve, reject }) => {
      const accept = elsewhere(submission);
      accept?.(submission).then(resolve, reject);
      return accept === undefined;
    });
  }

  function answer({ resolve, reject }: Waiting, result: Result): void {
    underWay -= 1;
    if ("outcome" in result) resolve(result.outcome);
    else reject(result.error);
  }

  /** Answers what waits under a key that was just taken: for each, a batch of its own would come to the same. */
  function answerRepeats(decided: readonly Decided[]): void {
    const keys = new Set(decided.flatMap(({ submission }) => keysOf(submission)));
    if (keys.size === 0) return;
    waiting = waiting.filter((one) => {
      if (!keysOf(one.submission).some((key) => keys.has(key))) return true;
      const outcome = repeatedOutcome(one.submission, decided);
      if (outcome !== undefined) one.resolve(outcome);
      return outcome === undefined;
    });
  }

  async function drain(): Promise<void> {
    // A submission that is alone after one tick is committed without further waiting.
    for (let seen = 1; waiting.length > 0; seen = 0) {
      await gather(seen);
      leaveAside();
      if (waiting.length === 0) break;
      const { batch, rest } = takeBatch(waiting);
      waiting = rest;
      underWay = batch.length;
      const begun = performance.now();
      // Whoever is answered may ask again at once, while others are still notified.
      const decided: Decided[] = [];
      const outcomes = await commit(means, batch, (one, result) => {
        if ("outcome" in result) decided.push({ submission: one.submission, outcome: result.outcome });
        answer(one, result);
      });
      answerRepeats(decided);
      await announce(storage, tell, outcomes);
      const tookMs = performance.now() - begun;
      await more?.after({ tookMs, answered: batch.length, waiting: waiting.length });
    }
    isDraining = false;
  }

  return {
    isBusy: () => waiting.length + underWay > 0,
    accept: (submission) =>
      new Promise((resolve, reject) => {
        waiting.push({ submission, resolve, reject });
        more?.arrived(waiting.length);
        if (isDraining) return;
        isDraining = true;
        setImmediate(drain);
      }),
  };
}

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Picks the next batch. Two submissions with the same key never share one, because the second must see the first's
 * result: if that takes the key, what waits under it is answered with it. A submission with many e-mails goes alone.
 */
function takeBatch(waiting: Waiting[]): { batch: Waiting[]; rest: Waiting[] } {
  const keys = new Set<string>();
  const batch: Waiting[] = [];
  const rest: Waiting[] = [];
  let emails = 0;
  for (const one of waiting) {
    const own = keysOf(one.submission);
    const count = one.submission.items.length;
    const isFull = batch.length > 0 && emails + count > batchLimit;
    if (isFull || own.some((key) => keys.has(key))) {
      rest.push(one);
      continue;
    }
    for (const key of own) keys.add(key);
    emails += count;
    batch.push(one);
  }
  return { batch, rest };
}

function keysOf({ workspaceId, items, idempotency }: Submission): string[] {
  const dedupe = items.flatMap(({ dedupeKey }) =>
    dedupeKey === undefined ? [] : `workspace ${workspaceId} ${dedupeKey}`,
  );
  return idempotency === undefined ? dedupe : [...dedupe, `key ${idempotency.apiKeyId} ${idempotency.key}`];
}

/** What a commit needs to know. */
interface Committing {
  storage: Storage;
  locked: Locked;
  apart: Apart | undefined;
  /** Until when, by `performance.now()`, no batch is committed in parts: of the last one, none got through. */
  wholeUntil: number;
}

type Answer = (one: Waiting, result: Result) => void;

/** Commits a batch, and answers each submission once it is committed or refused. Returns the outcomes. */
async function commit(means: Committing, batch: Waiting[], answer: Answer): Promise<SubmissionOutcome[]> {
  const { storage, locked } = means;
  let outcomes: SubmissionOutcome[];
  const locking: number[] = [];
  try {
    // Writing a large batch takes seconds, in which its workspace's locked counters would hold up the other sends of that
    // workspace, and all that are accepted together with them.
    for (const { submission } of batch)
      if (isLarge(submission) && isLimited(submission)) {
        const isAside = await storage.usage.setAside(usageOf(submission, submission.items));
        if (!isAside) locking.push(submission.workspaceId);
      }
    for (const id of locking) locked.add(id);
    outcomes = await storage.transaction((repositories) =>
      acceptSubmissions(
        repositories,
        batch.map(({ submission }) => submission),
      ),
    );
  } catch (error) {
    if (error instanceof StorageUnavailable && error.isLocked) {
      const byWorkspace = Map.groupBy(batch, ({ submission }) => submission.workspaceId);
      if (byWorkspace.size > 1 && performance.now() >= means.wholeUntil)
        return commitEach(means, [...byWorkspace.values()], (one, result) =>
          answer(one, result ?? { error }),
        );
      for (const id of byWorkspace.keys()) means.apart?.add(id);
    }
    if (batch.length > 1 && !(error instanceof StorageUnavailable)) {
      // One submission may fail the whole batch, such as one whose workspace was just deleted, so each is committed
      // alone.
      const accepted: SubmissionOutcome[] = [];
      for (const one of batch) accepted.push(...(await commit(means, [one], answer)));
      return accepted;
    }
    for (const one of batch) answer(one, { error });
    return [];
  } finally {
    for (const id of locking) locked.delete(id);
  }
  for (const [index, one] of batch.entries()) answer(one, { outcome: outcomes[index] as SubmissionOutcome });
  return outcomes;
}

/** Commits at a time, of parts of a batch: one may wait for locks of others, while the next are committed. */
const commitsAtOnce = 3;
/** Ms for which batches are committed as a whole after one of which no part got through. */
const wholeMs = 10_000;

/**
 * Commits the parts of a batch by themselves. Returns their outcomes. If the first get nowhere, whole tables are locked:
 * the others are answered without a `result` of their own, as each try takes as long.
 */
async function commitEach(
  means: Committing,
  parts: Waiting[][],
  answer: (one: Waiting, result: Result | undefined) => void,
): Promise<SubmissionOutcome[]> {
  const outcomes: SubmissionOutcome[] = [];
  let begun = 0;
  const work = async (): Promise<void> => {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      begun += 1;
      const isVain = begun > commitsAtOnce && outcomes.length === 0;
      if (isVain) for (const one of part) answer(one, undefined);
      else outcomes.push(...(await commit(means, part, answer)));
    }
  };
  await Promise.all(Array.from({ length: commitsAtOnce }, work));
  if (outcomes.length === 0) means.wholeUntil = performance.now() + wholeMs;
  return outcomes;
}

/** Notifies whoever waits for what was accepted. */
export async function announce(
  storage: Pick<Storage, "notify">,
  tell: (events: NewEvent[]) => void,
  outcomes: readonly SubmissionOutcome[],
): Promise<void> {
  const topics = topicsOf(outcomes);
  if (topics.length === 0) return;
  tell(
    outcomes.flatMap((outcome) =>
      outcome.kind === "accepted" ? outcome.items.flatMap(({ events }) => events) : [],
    ),
  );
  // Accepted submissions are on disk and answered. Without a notification other processes find them by polling, and the
  // next batch must not wait for it.
  await storage.notify(topics).catch(() => {});
}
