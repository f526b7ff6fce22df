import { expect, test } from "vitest";
import { failureOf } from "./failure-of.ts";

test("maps error codes to kinds of failure, and unknown codes by their status, or to a plain failure", () => {
  const codes = ["rate_limited", "attachment_too_large", "smtp_server_name_taken", "invalid_credentials"];
  expect(codes.map((code) => failureOf(code, 400))).toEqual(["limit", "limit", "conflict", "not_allowed"]);
  const unknown = ["of_tomorrow", "constructor", "__proto__"];
  expect(unknown.map((code) => failureOf(code))).toEqual(["failed", "failed", "failed"]);
  expect(unknown.map((code) => failureOf(code, 409))).toEqual(["conflict", "conflict", "conflict"]);
  const kinds = [400, 401, 403, 404, 413, 429, 503, 422, 500].map((status) =>
    failureOf("of_tomorrow", status),
  );
  expect(kinds.join(" ")).toBe(
    "usage not_allowed not_allowed not_found limit limit unavailable failed failed",
  );
});
