import { expect, test } from "vitest";
import { redactUrl } from "./redact-url.ts";

test.each([
  ["https://hooks.example.com", "https://hooks.example.com/"],
  ["https://hooks.example.com/", "https://hooks.example.com/"],
  ["https://hooks.example.com/services/T0/B0/secret", "https://hooks.example.com/…"],
  ["https://hooks.example.com?token=secret", "https://hooks.example.com/…"],
  ["https://hooks.example.com/#secret", "https://hooks.example.com/…"],
  ["http://[::1]:3000/secret", "http://[::1]:3000/…"],
])("of %s a log shows %s", (url, shown) => {
  expect(redactUrl(url)).toBe(shown);
});
