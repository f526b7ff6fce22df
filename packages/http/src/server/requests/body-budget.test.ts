import { expect, test } from "vitest";
import { bodyBytesFor, createBodyBudget } from "./body-budget.ts";

test("drops the largest unfinished body, and none that has ended", () => {
  const cut: string[] = [];
  const budget = createBodyBudget(10_000);
  const open = (name: string) => budget.open(() => cut.push(name));
  const [first, second, third] = [open("first"), open("second"), open("third")];
  second.add(6_000);
  first.add(1_000);
  first.close();
  second.close();
  // Closed twice, as after an error that follows the end.
  second.close();
  const fourth = open("fourth");
  third.add(6_000);
  fourth.add(1_000);
  expect(cut).toEqual([]);
  fourth.add(5_000);
  expect(cut).toHaveLength(1);
  first.add(20_000);
  expect(cut).toHaveLength(1);
});

test("unfinished bodies may hold a sixteenth of a small container's memory, and always the longest body", () => {
  const mebibyte = 2 ** 20;
  const machine = 64 * 1024 * mebibyte;
  expect(bodyBytesFor({ process: 1024 * mebibyte, machine })).toBe(64 * mebibyte);
  expect(bodyBytesFor({ process: 128 * mebibyte, machine })).toBe(32 * mebibyte);
  expect(bodyBytesFor({ process: 4096 * mebibyte, machine })).toBe(128 * mebibyte);
  // Without a limit, systems tell nothing, or more than there is.
  expect(bodyBytesFor({ process: 0, machine })).toBe(128 * mebibyte);
  expect(bodyBytesFor({ process: 2 ** 64, machine: 768 * mebibyte })).toBe(48 * mebibyte);
});
