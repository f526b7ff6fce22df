import { setImmediate } from "node:timers";
import type { NewEvent, Storage } from "../../ports/storage.ts";
import { createTurns, type Turns } from "../../ports/turns.ts";
import { topicsOf } from "./accept-submissions.ts";
import { createAwaitMore } from "./await-more.ts";
import {
  type Committing,
  commit,
  type Locked,
  lockedByOthers,
  type Result,
  type Waiting,
} from "./commit-batch.ts";
import { type Apart, createApart } from "./create-apart.ts";
import { type Decided, repeatedOutcome } from "./repeated-outcome.ts";
import { isLimited, keysOf, type Submission, type SubmissionOutcome } from "./submission.ts";

/** Maximum e-mails per commit, unless a single submission has more. */
export const batchLimit = 256;
/** Maximum turns of the event loop over which a batch is gathered. */
const gatherTicks = 10;

/** Accepts submissions durably: those waiting in the same tick share one commit, and none is answered before it. */
export interface Acceptor {
  /**
   * Resolves once the submission is on disk or refused. Rejects if the storage can't tell. `since`: when it was first
   * asked for, by `performance.now()`.
   */
  accept(submission: Submission, since?: number): Promise<SubmissionOutcome>;
  /** Whether a submission is not answered yet. */
  isBusy(): boolean;
}

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
  const turns = createTurns({ all: waitsAtOnce, patience: { ms: turnMs, error: lockedByOthers } });
  const apart = createApart(() => createAcceptor(storage, tell, { turns }).accept);
  const many = createAcceptor(storage, tell, { locked });
  const few = createAcceptor(storage, tell, { locked, behind: many, apart });
  return {
    many,
    few: { ...few, isBusy: () => locked.size > 0 || few.isBusy() },
  };
}

/** Transactions of locked workspaces at a time: each waits for locks on a connection, and others need those. */
const waitsAtOnce = 3;
/** Ms for which such a transaction waits for its turn. */
const turnMs = 1_500;

/**
 * Creates an acceptor with one batch in progress; submissions that arrive meanwhile form the next one. Those that would
 * wait for a locked counter are left to `behind`, and those of workspaces that others keep locked to `apart`. With
 * `turns`, each submission is committed by itself, in turn.
 */
export function createAcceptor(
  storage: Storage,
  tell: (events: NewEvent[]) => void,
  {
    locked = new Set(),
    behind,
    apart,
    turns,
  }: { locked?: Locked; behind?: Acceptor; apart?: Apart; turns?: Turns } = {},
): Acceptor {
  let waiting: Waiting[] = [];
  /** Submissions of the batch that are not answered yet. */
  let underWay = 0;
  let isDraining = false;
  // A storage in this process has a small fixed cost, and its commits wait for other writers rather than for the machine.
  const more = storage.isRemote ? createAwaitMore() : undefined;
  const means: Committing = { storage, locked, apart, turns, wholeUntil: Number.NEGATIVE_INFINITY };

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
    waiting = waiting.filter(({ submission, since, resolve, reject }) => {
      const accept = elsewhere(submission);
      accept?.(submission, since).then(resolve, reject);
      return accept === undefined;
    });
  }

  function answer(one: Waiting, result: Result): void {
    const { resolve, reject } = one;
    underWay -= 1;
    if ("outcome" in result) resolve(result.outcome);
    else if ("again" in result) waiting.unshift({ ...one, isAgain: true });
    else if ("later" in result) resolve(result.later);
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
      await commit(means, batch, (one, result) => {
        if ("outcome" in result) decided.push({ submission: one.submission, outcome: result.outcome });
        answer(one, result);
      });
      answerRepeats(decided);
      await announce(
        storage,
        tell,
        decided.map(({ outcome }) => outcome),
      );
      const tookMs = performance.now() - begun;
      await more?.after({ tookMs, answered: batch.length, waiting: waiting.length });
    }
    isDraining = false;
  }

  return {
    isBusy: () => waiting.length + underWay > 0,
    accept: (submission, since = performance.now()) =>
      new Promise((resolve, reject) => {
        waiting.push({ submission, since, resolve, reject });
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

/** Notifies whoever waits for what was accepted. */
export async function announce(
  storage: Pick<Storage, "notify">,
  tell: (events: NewEvent[]) => void,
  outcomes: readonly SubmissionOutcome[],
): Promise<void> {
  const topics = topicsOf(outcomes);
  if (topics.length === 0) return;
  const events: NewEvent[] = [];
  for (const outcome of outcomes)
    if (outcome.kind === "accepted") for (const item of outcome.items) events.push(...item.events);
  tell(events);
  // Accepted submissions are on disk and answered. Without a notification other processes find them by polling, and the
  // next batch must not wait for it.
  await storage.notify(topics).catch(() => {});
}
