import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@posthorn/client";
import type { FollowedEvent, Following } from "./api.ts";

/** ms before the server is asked again, doubling up to the most. */
const firstWaitMs = 500;
const longestWaitMs = 10_000;

/**
 * A server's events, also through its restarts: asks again behind the last event seen, without a gap and each once. Ends when the signal
 * aborts; rejects for any refusal, such as a login that ended.
 */
export async function* followServer(
  client: Pick<Client, "follow">,
  { after, waits, signal, tell, ...filter }: Following,
): AsyncGenerator<FollowedEvent, void, undefined> {
  let last = after;
  let waitMs = firstWaitMs;
  let isAway = false;
  while (!signal.aborted) {
    try {
      const events = client.follow({ ...filter, last_event_id: last, wait: waits }, { signal });
      for await (const event of events) {
        if (isAway) tell(`The server is back. Continuing after event ${last}.`);
        [isAway, waitMs, last] = [false, firstWaitMs, event.id];
        yield event;
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      if (!isAway) tell(`${error.message} Waiting for the server; nothing is lost.`);
      isAway = true;
    }
    await sleep(waitMs, undefined, { signal }).catch(() => {});
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}

/** Whether a server that is asked again may well answer: it can't be reached, restarts or has no place just now. */
const isPassing = (error: unknown): error is Error & { status: number } =>
  error instanceof Error &&
  error.name === "ApiError" &&
  "status" in error &&
  [0, 429, 502, 503, 504].includes(Number(error.status));
