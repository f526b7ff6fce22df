import { expect, test } from "vitest";
import { createBodyBudget } from "./body-budget.ts";

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
