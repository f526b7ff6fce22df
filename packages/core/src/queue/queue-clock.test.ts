import { expect, test } from "vitest";
import { createFixedClock } from "../testing/index.ts";
import { createQueueClock } from "./queue-clock.ts";

const minute = 60_000;

test.each([
  [5 * minute, "300 s ahead of"],
  [-5 * minute, "300 s behind"],
])(
  "warns once of a machine's clock that is %i ms from the database's, and again after it was right",
  async (apart, how) => {
    const [machine, database] = [createFixedClock(), createFixedClock()];
    const warnings: string[] = [];
    const logger = { warn: (_: object, text: string) => void warnings.push(text) };
    const clock = createQueueClock({ now: async () => database.now() }, machine, logger);
    const askTwice = async (step: number): Promise<void> => {
      machine.step(step);
      for (const _ of [1, 2]) await clock.ask();
    };
    await askTwice(9_000);
    expect(warnings).toEqual([]);
    await askTwice(apart - 9_000);
    expect(warnings).toEqual([expect.stringContaining(`clock is ${how} the database's`)]);
    await askTwice(-apart);
    expect(warnings).toHaveLength(1);
    await askTwice(apart);
    expect(warnings).toHaveLength(2);
  },
);

test("a slow answer that its time does not contradict sets the clock neither back nor forward", async () => {
  const machine = createFixedClock();
  const slow = { before: 0, after: 0 };
  const answer = async () => {
    machine.advance(slow.before);
    const at = machine.now();
    machine.advance(slow.after);
    return at;
  };
  const clock = createQueueClock({ now: answer }, machine);
  for (const [before, after] of [
    [0, 500],
    [500, 0],
    [200, 300],
  ] as const) {
    Object.assign(slow, { before, after });
    await clock.ask();
    expect(clock.now()).toBe(machine.now());
  }
});

test("a shared clock is waited for whenever it may be far from what is known of it, and only then", async () => {
  const [machine, database] = [createFixedClock(), createFixedClock()];
  const pass = (ms: number) => {
    machine.advance(ms);
    database.advance(ms);
  };
  const clock = createQueueClock({ now: async () => database.now(), isRemote: true }, machine);
  const changes = {
    "the first call": () => database.step(-60 * minute),
    "a step of the machine's clock": () => machine.step(24 * 60 * minute),
    "a step back": () => machine.step(-60 * minute),
    // The monotonic clock stands still meanwhile.
    "the machine's sleep": () => {
      machine.step(60 * minute);
      database.step(60 * minute);
    },
    "ten minutes of rest, and a step of the database's clock": () => {
      pass(10 * minute + 1);
      database.step(-10 * minute);
    },
  };
  for (const [change, make] of Object.entries(changes)) {
    make();
    const asked = clock.assure();
    expect(asked, change).toBeInstanceOf(Promise);
    await asked;
    expect(clock.now(), change).toBe(database.now());
    pass(minute / 2);
    expect(clock.assure(), change).toBeUndefined();
  }
  machine.step(minute);
  const host = { now: async () => database.now() + 5 * minute };
  await clock.assure(host);
  expect(clock.now()).toBe(database.now() + 5 * minute);
});

test("a clock of this machine's own database is not waited for", () => {
  expect(createQueueClock({ now: async () => 0 }, createFixedClock()).assure()).toBeUndefined();
});

test("a step of this machine's clock, which its own database shares, is noticed at the next look at the clock", async () => {
  const machine = createFixedClock();
  const clock = createQueueClock({ now: async () => machine.now() }, machine);
  await clock.ask();
  for (const step of [48 * 60 * minute, -49 * 60 * minute]) {
    machine.advance(2_000);
    machine.step(step);
    await expect.poll(clock.now).toBe(machine.now());
  }
});
