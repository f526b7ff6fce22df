import { expect, test } from "vitest";
import type { Caller } from "./caller.ts";
import { equalCallKey } from "./equal-call-key.ts";

const user = (userId: number): Caller => ({
  kind: "user",
  userId,
  sessionId: undefined,
  name: "Ada",
  email: "ada@example.com",
  emailVerified: true,
  isAdmin: false,
});
const keyOf = (input: unknown, caller = user(1), workspaceId = 1) =>
  equalCallKey({ caller, workspaceId }, input);

test("calls are equal by caller, workspace and input", () => {
  const input = { name: "a", tags: ["b", null], at: 1 };
  expect(keyOf(structuredClone(input))).toBe(keyOf(input));
  const others = [
    keyOf(input, user(2)),
    keyOf(input, { kind: "anonymous" }),
    keyOf(input, user(1), 2),
    keyOf({ ...input, name: "b" }),
    keyOf({ ...input, tags: ["b,null"] }),
  ];
  expect(new Set([keyOf(input), ...others]).size).toBe(6);
});

test.each([
  ["bytes", { content: new Uint8Array(1) }],
  ["an iterable", { content: { async *[Symbol.asyncIterator]() {} } }],
  ["a function", { next: () => 1 }],
  ["a time", { at: new Date(0) }],
  ["a large number", { id: 1n }],
  ["a long text", { html: "x".repeat(2_001) }],
  ["many values", Array.from({ length: 2_001 }, () => 1)],
])("%s is not compared", (_, input) => expect(keyOf(input)).toBeUndefined());
