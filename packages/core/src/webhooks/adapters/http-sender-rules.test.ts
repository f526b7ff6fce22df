import { expect, onTestFinished, test } from "vitest";
import { createHttpSender, parseRetryAfter } from "./http-sender.ts";

test("refuses private and odd targets by their URL alone", async () => {
  const resolve = () => Promise.reject(new Error("must not be asked"));
  const sender = createHttpSender({ resolver: { resolve } });
  onTestFinished(() => sender.close());
  const post = (url: string) =>
    sender.post({ url, headers: {}, body: "{}", timeoutMs: 3_600_000, allowPrivate: false });
  for (const url of [
    "http://example.com/",
    "https://127.0.0.1/",
    "https://[::7f00:1]/",
    "https://2130706433:8443/",
    "https://localhost./",
    "https://example.com:6379/",
  ]) {
    expect(await post(url)).toMatchObject({
      kind: "fault",
      fault: "blocked_address",
    });
  }
  expect(await post("https://u:p@example.com/")).toMatchObject({
    fault: "invalid_url",
  });
});

test("parseRetryAfter reads seconds and HTTP dates", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  expect(parseRetryAfter("120", now)).toBe(120);
  expect(parseRetryAfter("Thu, 01 Jan 2026 00:01:00 GMT", now)).toBe(60);
  expect(parseRetryAfter("Wed, 31 Dec 2025 00:00:00 GMT", now)).toBe(0);
  expect(parseRetryAfter("Thu Jan  1 00:01:00 2026", now)).toBe(60);
  for (const value of [undefined, "", "-1", "1e9", "soon", "12345678901", ["1", "2"], "2026-01-01"])
    expect(parseRetryAfter(value, now)).toBeUndefined();
});
