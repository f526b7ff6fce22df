import { expect, test } from "vitest";
import { createJobTurns } from "./create-job-turns.ts";

const open = () => createJobTurns<string, number>({ each: 3, all: 5 });

test("owners take turns, however many jobs each has waiting, with one job of each under way", () => {
  const turns = open();
  for (const job of [1, 2, 3]) turns.add("a", job);
  turns.add("b", 4);
  expect(turns.take()).toEqual({ owner: "a", job: 1 });
  expect(turns.take()).toEqual({ owner: "b", job: 4 });
  expect(turns.take()).toBeUndefined();
  turns.done("a");
  turns.add("c", 5);
  turns.done("b");
  // The owner that was served last comes after the one that was never served.
  expect([turns.take()?.owner, turns.take()?.owner]).toEqual(["a", "c"]);
  turns.done("a");
  turns.add("c", 6);
  turns.done("c");
  expect([turns.take()?.job, turns.take()?.job, turns.take()]).toEqual([3, 6, undefined]);
});

test("refuses a job that would wait too long, and returns the waiting ones", () => {
  const turns = open();
  expect([1, 2, 3, 4].map((job) => turns.add("a", job))).toEqual([true, true, true, false]);
  expect([5, 6, 7].map((job) => turns.add("b", job))).toEqual([true, true, false]);
  expect(turns.clear()).toEqual([1, 2, 3, 5, 6]);
  expect(turns.take()).toBeUndefined();
  expect(turns.add("a", 8)).toBe(true);
});
