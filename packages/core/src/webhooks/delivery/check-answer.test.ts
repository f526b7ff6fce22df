import { expect, test } from "vitest";
import type { HttpPostResult } from "../../ports/http-sender.ts";
import { checkAnswer } from "./check-answer.ts";

const response = { kind: "response", status: 503, body: "busy", durationMs: 2 } as const;
const check = (odd: object) => checkAnswer({ ...response, ...odd } as HttpPostResult, 7);

test.each([
  [{ retryAfter: 12.3456 }, { ...response, retryAfter: 13 }],
  [{ body: "x".repeat(100_000) }, { ...response, body: "x".repeat(4_096) }],
  [{ body: "a\0b" }, { ...response, body: "a\ufffdb" }],
  [{ durationMs: 1e300 }, { ...response, durationMs: 7 }],
])("an answer of a host's sender is one that can be stored: %j", (odd, checked) =>
  expect(check(odd)).toEqual(checked),
);

test.each([1e300, -5, 99, 1_000])("%d is no status", (status) =>
  expect(() => check({ status })).toThrow("neither a response with a status nor a fault"),
);
