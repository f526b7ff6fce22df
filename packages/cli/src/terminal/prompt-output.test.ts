import { expect, test } from "vitest";
import { promptOutput } from "./prompt-output.ts";

test("a terminal without a size is asked as one of 80 columns, and any other in its own", () => {
  expect([0, 132].map((columns) => promptOutput({ columns }).columns)).toEqual([80, 132]);
});
