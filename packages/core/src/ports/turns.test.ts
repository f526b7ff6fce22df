import { expect, onTestFinished, test, vi } from "vitest";
import { createTurns, type Turns } from "./turns.ts";

const tooLate = new Error("too late");
const impatient = { ms: 1, error: () => tooLate };

/** Enters, leaves at once, and records the name. */
const pass = async ({ enter }: Turns, holder: number, name: string, order: string[]): Promise<void> => {
  const leave = await enter(holder);
  order.push(name);
  leave();
};

test("whoever waits too long is refused, and takes no place", async () => {
  const { enter } = createTurns({ all: 1, patience: impatient });
  const leave = await enter();
  await expect(enter()).rejects.toBe(tooLate);
  leave();
  (await enter())();
});

test.each([{}, { patience: { ...impatient, ms: 2 ** 40 } }])(
  "with the limits %j, whoever waits is not refused at once",
  async (limits) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { enter } = createTurns({ all: 1, ...limits });
    const leave = await enter();
    const next = enter();
    await vi.advanceTimersByTimeAsync(3_600_000);
    leave();
    (await next)();
    expect(vi.getTimerCount()).toBe(0);
  },
);

test("the holder whose turn is longest ago comes first, and of one holder whoever waits longest", async () => {
  const turns = createTurns({ all: 1 });
  const leave = await turns.enter(1);
  const order: string[] = [];
  const join = (holder: number, name: string) => pass(turns, holder, name, order);
  const all = [join(1, "1a"), join(1, "1b"), join(1, "1c"), join(2, "2a"), join(2, "2b")];
  leave();
  await Promise.all(all);
  expect(order).toEqual(["2a", "1a", "2b", "1b", "1c"]);
});

test("no holder has more places than its part while others are free", async () => {
  const { enter } = createTurns({ all: 3, each: 2, patience: impatient });
  const leaves = [await enter("a"), await enter("a")];
  await expect(enter("a")).rejects.toBe(tooLate);
  leaves.push(await enter("b"));
  await expect(enter("b")).rejects.toBe(tooLate);
  for (const leave of leaves) leave();
  (await enter("a"))();
});

test("whoever would be one too many to wait, in all or of a holder, is refused at once", async () => {
  const tooMany = new Error("too many");
  const { enter } = createTurns({ all: 1, room: { all: 3, each: 2, error: () => tooMany } });
  const leave = await enter("a");
  const waiting = [enter("a"), enter("a")];
  await expect(enter("a")).rejects.toBe(tooMany);
  waiting.push(enter("b"));
  await expect(enter("c")).rejects.toBe(tooMany);
  leave();
  await Promise.all(waiting.map(async (entered) => (await entered)()));
  (await enter("a"))();
});

test("closing refuses whoever waits, and whoever comes later; who has a place keeps it", async () => {
  const { enter, close } = createTurns({ all: 1 });
  const leave = await enter(1);
  const waiting = [enter(1), enter(2)].map((entered) => entered.catch((error: unknown) => error));
  const closed = new Error("closed");
  close(closed);
  expect(await Promise.all(waiting)).toEqual([closed, closed]);
  leave();
  await expect(enter(2)).rejects.toBe(closed);
});
