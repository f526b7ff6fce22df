import type { NewEvent } from "../../ports/storage/events.ts";
import { type Storage, StorageUnavailable } from "../../ports/storage.ts";
import { acceptSubmissions, topicsOf } from "./accept-submissions.ts";
import type { Submission, SubmissionOutcome } from "./submission.ts";

/** E-mails taken into one commit at the most, but for a submission that has more alone. */
export const batchLimit = 256;
/** Turns of the event loop that a batch gathers over at the most. */
const gatherTicks = 10;

/** Accepts submissions durably: those that wait in the same tick share one commit, and none is answered before it. */
export interface Acceptor {
  /** Resolves once the submission is on disk, or refused. Rejects where the storage can't say. */
  accept(submission: Submission): Promise<SubmissionOutcome>;
}

interface Waiting {
  submission: Submission;
  resolve: (outcome: SubmissionOutcome) => void;
  reject: (error: unknown) => void;
}

/** An acceptor with one batch in flight: what comes meanwhile makes up the next. */
export function createAcceptor(storage: Storage, tell: (events: NewEvent[]) => void): Acceptor {
  let waiting: Waiting[] = [];
  let busy = false;

  /** Requests that arrived together reach this point over a few ticks: as long as more than `seen` come, the commit waits for them. */
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

  async function drain(): Promise<void> {
    // Who is alone after a tick has waited already.
    for (let seen = 1; waiting.length > 0; seen = 0) {
      await gather(seen);
      const { batch, rest } = takeBatch(waiting);
      waiting = rest;
      await commit(storage, tell, batch);
    }
    busy = false;
  }

  return {
    accept: (submission) =>
      new Promise((resolve, reject) => {
        waiting.push({ submission, resolve, reject });
        if (busy) return;
        busy = true;
        setImmediate(drain);
      }),
  };
}

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Two submissions with the same key never share a batch: the second must see what came of the first. One of many e-mails goes alone. */
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

async function commit(storage: Storage, tell: (events: NewEvent[]) => void, batch: Waiting[]): Promise<void> {
  let outcomes: SubmissionOutcome[];
  try {
    outcomes = await storage.transaction((repositories) =>
      acceptSubmissions(
        repositories,
        batch.map(({ submission }) => submission),
      ),
    );
  } catch (error) {
    if (batch.length > 1 && !(error instanceof StorageUnavailable)) {
      // One submission spoils the batch, such as one whose workspace was just deleted: each goes alone.
      for (const one of batch) await commit(storage, tell, [one]);
      return;
    }
    for (const { reject } of batch) reject(error);
    return;
  }
  for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as SubmissionOutcome);
  const topics = topicsOf(outcomes);
  if (topics.length === 0) return;
  tell(
    outcomes.flatMap((outcome) =>
      outcome.kind === "accepted" ? outcome.items.flatMap(({ events }) => events) : [],
    ),
  );
  // What is accepted is answered and on disk: whoever isn't told looks by itself, and the next batch must not wait for that.
  await storage.notify(topics).catch(() => {});
}
