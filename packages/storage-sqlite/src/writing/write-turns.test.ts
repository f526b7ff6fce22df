import { expect, test } from "vitest";
import { createWriteTurns } from "./write-turns.ts";

const turnsOn = (...patienceMs: [number?, number?]) => {
  const memory = new SharedArrayBuffer(4);
  return [createWriteTurns(memory, patienceMs[0]), createWriteTurns(memory, patienceMs[1])] as const;
};

test("one process has its turn while the other waits, and the event loop continues", async () => {
  const [one, other] = turnsOn();
  const order: string[] = [];
  await one.enter();
  const entered = other.enter().then(() => order.push("the other's turn"));
  await new Promise((resolve) => setImmediate(resolve));
  order.push("the loop went on");
  one.leave();
  await entered;
  expect(order).toEqual(["the loop went on", "the other's turn"]);
  const again = one.enter().then(() => order.push("again"));
  other.leave();
  await again;
  expect(order.at(-1)).toBe("again");
});

test("waiting for a process that is gone ends after a while, and frees the turn", async () => {
  const [gone, other] = turnsOn(Number.POSITIVE_INFINITY, 20);
  await gone.enter();
  expect(await other.enter()).toBe(false);
  other.leave();
  // If the turn were taken, this would never resolve.
  expect(await gone.enter()).toBe(true);
});

test("without shared memory nobody waits, and memory too small for a number is refused", async () => {
  const alone = createWriteTurns(undefined);
  await alone.enter();
  await alone.enter();
  expect(() => createWriteTurns(new SharedArrayBuffer(2))).toThrow("writeTurns must be");
});
