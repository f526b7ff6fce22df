import { expect, test } from "vitest";
import { failureOf } from "./failure-of.ts";

test("maps error codes to kinds of failure, and unknown codes to a plain failure", () => {
  const codes = ["rate_limited", "attachment_too_large", "smtp_server_name_taken", "invalid_credentials"];
  expect(codes.map(failureOf)).toEqual(["limit", "limit", "conflict", "not_allowed"]);
  expect(["of_tomorrow", "constructor", "__proto__"].map(failureOf)).toEqual(["failed", "failed", "failed"]);
});
