import { expect, test } from "vitest";
import { describeLine } from "./create-logger.ts";

test("a line for a terminal has time, level, message and fields, without control characters", () => {
  const line = JSON.stringify({
    level: "error",
    time: "2026-01-02T03:04:05.678Z",
    pid: 1,
    requestId: "r\u001b[31m",
    err: { message: "no\nroute", stack: "at …" },
    msg: "a request failed",
  });
  expect(describeLine(line)).toBe('03:04:05 error a request failed: no route {"requestId":"r\\u001b[31m"}\n');
});
