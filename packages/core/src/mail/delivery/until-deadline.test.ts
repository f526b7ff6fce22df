import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { eventsOf } from "../../../test/deliveries.ts";
import { add, get, openServersForEach, send } from "../../../test/workspace-servers.ts";
import { world } from "../../../test/world-for-each.ts";
import type { Mailer } from "../../ports/mailer.ts";
import { createFixedClock } from "../../testing/index.ts";
import type { MemoryMailer } from "../../testing/memory-mailer.ts";
import { untilDeadline } from "./until-deadline.ts";

openServersForEach();

/** Answers like a mailer whose message waits for a connection until its signal is aborted. */
const waitInVain: Mailer["send"] = async ({ envelope }, { signal } = {}) => {
  world.clock.advance(50);
  if (signal?.aborted === false) await once(signal, "abort");
  return {
    recipients: envelope.to.map((address) => ({ address, outcome: "deferred", reply: "closed" })),
    inDoubt: false,
    held: { cause: "closed", reason: "closed", retryAfterMs: 1_000 },
  };
};

test("an e-mail that still waits for a connection at its deadline expires then, and holds no other", async () => {
  await add("first");
  const { id } = await send("late", { deliverBefore: world.clock.now() + 50 });
  const waiting = vi.spyOn<MemoryMailer, "send">(world.mailer, "send").mockImplementation(waitInVain);
  await world.posthorn.drain();
  waiting.mockRestore();
  expect(await get(id)).toMatchObject({
    status: "failed",
    recipients: [{ state: "failed", lastReply: "expired" }],
    attempts: [],
  });
  expect(await eventsOf(id)).toEqual(["email.failed"]);
  expect(await world.storage.emailQueue.parked(world.clock.now())).toEqual([]);
});

test("a tenure ends at the deadline or with the worker, whichever comes first", async () => {
  const clock = createFixedClock();
  const tenureOf = (signal: AbortSignal) => ({ signal, isStillOurs: () => true });
  const { signal } = new AbortController();
  const states = await untilDeadline(
    clock,
    { deliverBefore: clock.now() + 20, tenure: tenureOf(signal) },
    async (tenure) => {
      const before = tenure.signal.aborted;
      clock.advance(20);
      await once(tenure.signal, "abort");
      return [before, tenure.signal.aborted, signal.aborted];
    },
  );
  expect(states).toEqual([false, true, false]);

  const stopping = new AbortController();
  const stopped = await untilDeadline(
    clock,
    { deliverBefore: clock.now() + 60_000, tenure: tenureOf(stopping.signal) },
    async (tenure) => {
      stopping.abort();
      return tenure.signal.aborted;
    },
  );
  expect(stopped).toBe(true);
});
