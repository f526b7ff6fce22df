import { expect, test } from "vitest";
import { createFence } from "./fence.ts";

test("only the failed cast shows another transaction, not an error that quotes the guarded statement", async () => {
  const fence = createFence();
  const text = (await fence.guard(async () => "1 2"))("'value'");
  const errorOf = (code: string, message: string) => Object.assign(new Error(message), { code });
  expect(fence.isCrossed(errorOf("22P02", 'invalid input: "posthorn: another transaction 7"'))).toBe(true);
  expect(fence.isCrossed(errorOf("23505", `Failed query: select ${text}`))).toBe(false);
  expect(fence.isCrossed(errorOf("22P02", 'invalid input syntax for type integer: "x"'))).toBe(false);
});
