import { expect, test } from "vitest";
import { SmtpFault } from "../../connection/smtp-fault.ts";
import { createServerState } from "./create-server-state.ts";

const gone = new SmtpFault("network", "could not connect");
const waitOf = (state: ReturnType<typeof createServerState>, now: number) => state.hold(now)?.retryAfterMs;

test("each hold is twice as long as the last, and failures of messages already under way do not lengthen it", () => {
  const state = createServerState(5, true);
  state.cannotConnect(gone, 0, 0);
  expect(waitOf(state, 0)).toBe(1000);
  state.cannotConnect(gone, 0, 500);
  expect(waitOf(state, 500)).toBe(500);
  expect(waitOf(state, 1000)).toBeUndefined();
  state.cannotConnect(gone, 0, 1000);
  expect(waitOf(state, 1000)).toBe(2000);
});

test("holds for several messages that failed at a server which answers end within 30 s, others within 5 minutes", () => {
  const waits = (
    fail: (state: ReturnType<typeof createServerState>, now: number, message: string) => void,
  ) => {
    const state = createServerState(5, true);
    let now = 0;
    return Array.from({ length: 12 }, (_, n) => {
      fail(state, now, `m${n}`);
      const ms = waitOf(state, now) ?? 0;
      now += ms;
      return ms;
    }).at(-1);
  };
  const strike = { cause: "unreachable", reason: "451 later" } as const;
  expect(waits((state, now, message) => state.strike({ ...strike, message }, now))).toBe(30_000);
  expect(waits((state, now) => state.strike({ ...strike, message: "m" }, now))).toBe(300_000);
  expect(waits((state, now, message) => state.strike({ ...strike, cause: "settings", message }, now))).toBe(
    900_000,
  );
  expect(waits((state, now) => state.cannotConnect(gone, 0, now))).toBe(300_000);
});

test("after a hold, one connection is opened before the others", () => {
  const state = createServerState(5, true);
  state.connected(1);
  expect(state.places(0)).toBe(5);
  state.silent("no answer", 0);
  expect(state.places(1000)).toBe(1);
  state.connected(1);
  expect(state.places(1000)).toBe(5);
});

test("after a hold for what messages met, a server that takes connections gets few until a message is accepted", () => {
  const state = createServerState(5, true);
  state.connected(1);
  for (const message of ["a", "b", "c"])
    state.strike({ message, cause: "unreachable", reason: "421 bye" }, 0);
  state.connected(1);
  expect(state.places(1000)).toBe(2);
  state.accepted(1000);
  expect(state.places(1000)).toBe(5);
});

test("after a hold, a message accepted over a kept connection proves the server as a new connection does", () => {
  const state = createServerState(5, true);
  state.connected(1);
  state.silent("no answer", 0);
  // It was under way when the hold began.
  expect([state.accepted(500), state.places(1000)]).toEqual([false, 1]);
  expect([state.accepted(1000), state.places(1000), state.accepted(1001)]).toEqual([true, 5, false]);
});

test("an accepted message resets faults, limits and the length of holds", () => {
  const state = createServerState(5, true);
  state.cannotConnect(gone, 0, 0);
  for (let round = 0; round < 2; round += 1) {
    state.accepted(2000);
    for (let n = 0; n < 2; n += 1)
      state.strike({ message: `m${n}`, cause: "unreachable", reason: "451 later" }, 2000);
    for (let n = 0; n < 3; n += 1) state.limited("451 slow down", 2000);
    expect(state.hold(2000)).toBeUndefined();
  }
  state.accepted(2000);
  state.cannotConnect(gone, 0, 2000);
  expect(waitOf(state, 2000)).toBe(1000);
});

test("tries one more connection after 15 s, doubled after each refusal, and after 15 s again once accepted", () => {
  const state = createServerState(4, true);
  state.connected(1);
  const placesAt = (...times: number[]) => times.map((now) => state.places(now));
  state.lower(2, 0);
  expect(placesAt(14_999, 15_000)).toEqual([2, 3]);
  state.lower(2, 15_000);
  expect(placesAt(44_999, 45_000)).toEqual([2, 3]);
  state.connected(3);
  expect(placesAt(104_999, 105_000)).toEqual([3, 4]);
  state.lower(2, 105_000);
  expect(placesAt(119_999, 120_000)).toEqual([2, 3]);
});

test("connections refused at the same time count once", () => {
  const state = createServerState(4, true);
  state.connected(1);
  for (const others of [3, 2, 1]) state.cannotConnect(gone, others, 0);
  expect([14_999, 15_000, 44_999, 45_000].map((now) => state.places(now))).toEqual([1, 2, 2, 3]);
});

test("a server that was away allows as many connections as before, and one that refuses the only one as few", () => {
  const full = new SmtpFault("network", "busy", { code: 421, text: "421 busy", lines: ["busy"] });
  const placesAfter = (fault: SmtpFault) => {
    const state = createServerState(4, true);
    state.connected(1);
    for (const others of [3, 2, 1, 0]) state.cannotConnect(fault, others, 0);
    const before = state.places(1000);
    state.connected(1);
    return [before, state.places(1000)];
  };
  expect(placesAfter(gone)).toEqual([1, 4]);
  expect(placesAfter(full)).toEqual([1, 1]);
});

test("asking for fewer messages begins a hold at the fourth time", () => {
  const state = createServerState(5, true);
  const waits = Array.from({ length: 4 }, () => {
    state.limited("451 slow down", 0);
    return waitOf(state, 0);
  });
  expect(waits).toEqual([undefined, undefined, undefined, 1000]);
});

test.each([
  ["unreachable", gone, 1000],
  ["limited", new SmtpFault("network", "busy", { code: 421, text: "421 busy", lines: ["busy"] }), 2000],
  ["exhausted", new SmtpFault("own", "EMFILE"), 2000],
])("the second hold of a workspace's server that is %s", (cause, fault, ms) => {
  const state = createServerState(5, false);
  state.cannotConnect(fault, 0, 0);
  state.cannotConnect(fault, 0, 1000);
  expect(state.hold(1000)).toMatchObject({ cause, retryAfterMs: ms });
});

test("a new maximum keeps to what the server allows", () => {
  const state = createServerState(4, true);
  state.connected(1);
  state.setMost(6);
  expect(state.places(0)).toBe(6);
  state.lower(2, 0);
  const places = [8, 1, 8].map((most) => {
    state.setMost(most);
    return state.places(0);
  });
  expect(places).toEqual([2, 1, 2]);
});
