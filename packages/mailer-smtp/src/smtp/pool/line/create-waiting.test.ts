import { expect, test } from "vitest";
import { createWaiting } from "./create-waiting.ts";

interface Message {
  name: string;
  delivery: { lane?: 0 | 1 | 2; workspaceId?: number };
}

const message = (name: string, workspaceId?: number, lane?: 0 | 1 | 2): Message => ({
  name,
  delivery: {
    ...(lane === undefined ? {} : { lane }),
    ...(workspaceId === undefined ? {} : { workspaceId }),
  },
});

/** Takes messages until none waits, and returns their names. */
function takeAll({ first, take }: ReturnType<typeof createWaiting<Message>>): string {
  const names: string[] = [];
  for (let next = first(); next !== undefined; next = first()) {
    expect(take()).toBe(next);
    names.push(next.name);
  }
  return names.join(" ");
}

test("workspaces take turns, and the messages of each keep their order", () => {
  const waiting = createWaiting<Message>();
  for (const name of ["a1", "a2", "a3"]) waiting.add(message(name, 1));
  for (const name of ["b1", "b2"]) waiting.add(message(name, 2));
  waiting.add(message("own"));
  expect(waiting.size).toBe(6);
  expect(takeAll(waiting)).toBe("a1 b1 own a2 b2 a3");
  expect([waiting.size, waiting.take()]).toEqual([0, undefined]);
});

test("an urgent message goes next, and lanes share the turns three to two to one", () => {
  const waiting = createWaiting<Message>();
  for (let number = 0; number < 20; number += 1) waiting.add(message("l", 1, 2));
  for (let number = 0; number < 9; number += 1) waiting.take();
  waiting.add(message("h", 2, 0));
  expect(waiting.take()?.name).toBe("h");
  const others = createWaiting<Message>();
  for (let number = 0; number < 6; number += 1)
    for (const [name, lane] of [
      ["l", 2],
      ["n", 1],
      ["h", 0],
    ] as const)
      others.add(message(name, 1, lane));
  const names = Array.from({ length: 12 }, () => others.take()?.name);
  const countOf = (name: string) => names.filter((one) => one === name).length;
  expect([countOf("h"), countOf("n"), countOf("l")]).toEqual([6, 4, 2]);
});

test("those that were here before go first, and those that are meant are taken out", () => {
  const waiting = createWaiting<Message>();
  for (const name of ["a1", "a2"]) waiting.add(message(name, 1, 0));
  waiting.add(message("b1", 2));
  waiting.addFirst(message("x"), message("y"));
  const removed = waiting.remove(({ name }) => ["y", "a1"].includes(name));
  expect(removed.map(({ name }) => name)).toEqual(["y", "a1"]);
  expect([waiting.size, takeAll(waiting)]).toEqual([3, "x a2 b1"]);
});

test("how many go before a message is known by its lane and its workspace", () => {
  const waiting = createWaiting<Message>();
  for (let number = 0; number < 50; number += 1) waiting.add(message("a", 1));
  for (let number = 0; number < 3; number += 1) waiting.add(message("b", 2));
  expect(waiting.before(message("a", 1))).toBe(53);
  expect(waiting.before(message("b", 2))).toBe(7);
  expect(waiting.before(message("c", 3))).toBe(2);
  expect(waiting.before(message("c", 3, 0))).toBe(1);
  expect(waiting.before(message("c", 3, 2))).toBe(2);
  waiting.addFirst(message("again"));
  expect(waiting.before(message("c", 3))).toBe(3);
});

test("those that may not go keep their places, and take no turns from others", () => {
  let isOpen = false;
  const waiting = createWaiting<Message>(({ name }) => isOpen || !name.startsWith("big"));
  waiting.addFirst(message("big0", 1));
  for (const name of ["big1", "a1", "big2"]) waiting.add(message(name, 1));
  for (const name of ["b1", "b2"]) waiting.add(message(name, 2));
  waiting.add(message("big3", 3, 0));
  for (const name of ["l1", "l2"]) waiting.add(message(name, 4, 2));
  expect(takeAll(waiting)).toBe("a1 l1 b1 b2 l2");
  expect([waiting.size, waiting.take()]).toEqual([4, undefined]);
  isOpen = true;
  expect(takeAll(waiting)).toBe("big0 big3 big1 big2");
});
