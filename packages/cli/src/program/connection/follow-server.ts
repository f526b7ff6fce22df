import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@posthorn/client";
import type { FollowedEvent, Following } from "./api.ts";
import { firstWaitMs, gapWords, longestWaitMs, waitingFor } from "./passing-failures.ts";

/**
 * Yields a server's events across its restarts: reconnects after the last event seen, without gaps or repetitions. Ends
 * when the signal aborts; rejects for any refusal, such as an expired login.
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
      const onGap = (upTo: number) => tell(gapWords(upTo));
      const events = client.follow({ ...filter, last_event_id: last, wait: waits }, { signal, onGap });
      for await (const event of events) {
        if (isAway) tell(`The server is back. Continuing after event ${last}.`);
        [isAway, waitMs, last] = [false, firstWaitMs, event.id];
        yield event;
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      const waiting = waitingFor(error);
      if (waiting === undefined) throw error;
      if (!isAway) tell(waiting);
      isAway = true;
    }
    await sleep(waitMs, undefined, { signal }).catch(() => {});
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}
