import { expect, test } from "vitest";
import { createWatchdog } from "../../connection/create-watchdog.ts";
import type { Delivery } from "../../conversation/delivery.ts";
import type { PoolClock } from "../pool-clock.ts";
import { createPace } from "../server/create-pace.ts";
import { createServerState } from "../server/create-server-state.ts";
import { createHostPlaces } from "./create-host-places.ts";
import type { PooledConnection } from "./create-idle-connections.ts";
import { createLine } from "./create-line.ts";

/** A clock that passes as much time as it is told, and calls back what is due meanwhile. */
function createSetClock(): PoolClock & { pass(ms: number): void } {
  let now = 0;
  const waiting = new Set<{ at: number; act: () => void }>();
  return {
    now: () => now,
    after(ms, act) {
      const one = { at: now + ms, act };
      waiting.add(one);
      return () => void waiting.delete(one);
    },
    pass(ms) {
      now += ms;
      for (const one of waiting) if (one.at <= now && waiting.delete(one)) one.act();
    },
  };
}

const small = { source: { size: 1000 } } as Delivery;
const patient = { ...small, patience: 1000 };
const plain = { isFresh: false, isAgain: false, rests: false, isWhole: true };

test("waiting for a rate or another pool's connection is not the server's silence; waiting for its reply is", async () => {
  const clock = createSetClock();
  const state = createServerState(5, false);
  let isFree = true;
  const place = { take: () => isFree, free: () => {}, isWanted: () => false };
  const line = createLine({ state, pace: createPace(0.5), clock, idleTime: 1000, place });
  const kinds: string[] = [];
  const ask = () => line.turn(patient, plain).then(({ kind }) => void kinds.push(kind));
  const pass = async (ms: number): Promise<string[]> => {
    clock.pass(ms);
    await Promise.resolve();
    return kinds.splice(0);
  };
  void ask();
  expect(await pass(0)).toEqual(["new"]);
  void ask();
  // The rate of one in two seconds is in its way, then the first, which the server leaves unanswered.
  expect(await pass(1500)).toEqual([]);
  expect(await pass(1500)).toEqual(["held"]);
  line.over(small, undefined, "close");
  isFree = false;
  void ask();
  expect(await pass(5000)).toEqual([]);
  isFree = true;
  line.look();
  expect(await pass(0)).toEqual(["new"]);
});

test("a message that needs a new connection gets the host's last place from an idle one of its own server", async () => {
  const state = createServerState(2, false);
  state.connected(1);
  const place = createHostPlaces(1).join("relay.example", { look: () => line.look(), spare: () => false });
  const line = createLine({
    state,
    pace: createPace(undefined),
    clock: createSetClock(),
    idleTime: 60_000,
    place,
  });
  const socket = { destroyed: true, ref() {}, unref() {} };
  const channel = { socket, isQuiet: () => true, onDisturbance() {} };
  const idle = { connection: { channel }, messages: 1, isAhead: false, watchdog: createWatchdog() };
  expect((await line.turn(small, plain)).kind).toBe("new");
  line.over(small, idle as unknown as PooledConnection, "keep");
  expect((await line.turn(small, { ...plain, isFresh: true })).kind).toBe("new");
  line.over(small, undefined, "close");
});

test("large messages leave a quarter of the connections to others, and go on as one of them ends", async () => {
  const state = createServerState(4, false);
  state.connected(1);
  const line = createLine({
    state,
    pace: createPace(undefined),
    clock: createSetClock(),
    idleTime: 1000,
  });
  const large = { source: { size: 9_000_000 } } as Delivery;
  const given: string[] = [];
  const ask = (name: string, delivery: Delivery) =>
    void line.turn(delivery, plain).then(() => void given.push(name));
  for (const name of ["l1", "l2", "l3", "l4"]) ask(name, large);
  ask("s1", small);
  ask("s2", small);
  await Promise.resolve();
  expect(given.splice(0)).toEqual(["l1", "l2", "l3", "s1"]);
  line.over(small, undefined, "close");
  await Promise.resolve();
  expect(given.splice(0)).toEqual(["s2"]);
  line.over(large, undefined, "close");
  await Promise.resolve();
  expect(given).toEqual(["l4"]);
});

test("a single connection takes large messages, too", async () => {
  const line = createLine({
    state: createServerState(1, false),
    pace: createPace(undefined),
    clock: createSetClock(),
    idleTime: 1000,
  });
  expect((await line.turn({ source: { size: 9_000_000 } } as Delivery, plain)).kind).toBe("new");
});
