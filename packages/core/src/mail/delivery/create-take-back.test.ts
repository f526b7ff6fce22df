import { expect, test } from "vitest";
import type { Claim, Storage } from "../../ports/storage.ts";
import { createGrace } from "../../queue/loop/create-grace.ts";
import { createTakeBack } from "./create-take-back.ts";

const leaseMs = 30_000;
const claim: Claim = { id: 1, worker: "w", until: 0, leaseMs };

function setUp() {
  const state = { now: 0, waitMs: 0, taken: 0 };
  const repositories = { emailQueue: { reclaim: async () => ++state.taken } };
  const transaction = async (run: (storage: unknown) => Promise<unknown>) => {
    state.now += state.waitMs;
    return run(repositories);
  };
  const monotonic = () => state.now;
  const grace = createGrace({ leaseMs, monotonic });
  const takeBack = createTakeBack({ transaction } as unknown as Storage, { grace, monotonic });
  return { state, grace, look: () => takeBack([claim], 0) };
}

test("takes abandoned claims back at once while the storage works, but not as soon as it starts", async () => {
  const { state, look } = setUp();
  expect(await look()).toBe(0);
  state.now += 5_000;
  expect(await look()).toBe(1);
  expect(await look()).toBe(2);
});

test("leaves their owners five seconds after the storage's last failure", async () => {
  const { state, grace, look } = setUp();
  state.now += 10_000;
  grace.begin();
  state.now += 3_000;
  grace.begin();
  state.now += 4_999;
  expect(await look()).toBe(0);
  expect(state.taken).toBe(0);
  state.now += 1;
  expect(await look()).toBe(1);
});

test("leaves their owners five seconds more if its turn comes late after a failure", async () => {
  const { state, grace, look } = setUp();
  grace.begin();
  state.now += 5_000;
  state.waitMs = 251;
  expect(await look()).toBe(0);
  expect(state.taken).toBe(0);
});

test("leaves their owners five seconds if it had to wait for its turn itself, once", async () => {
  const { state, look } = setUp();
  state.now += 5_000;
  expect(await look()).toBe(1);
  state.waitMs = 251;
  expect(await look()).toBe(0);
  expect(await look()).toBe(0);
  expect(state.taken).toBe(1);
  state.now += 5_000;
  expect(await look()).toBe(2);
});
