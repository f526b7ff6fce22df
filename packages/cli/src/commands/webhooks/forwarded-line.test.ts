import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { forwardedLine } from "./forwarded-line.ts";

const id = "01a2231c-3bb6-750e-ab32-5c5cc68e002e";
const accepted = { status: 204, error: "", durationMs: 8 };
const refused = { status: undefined, error: "UND_ERR_HEADERS_TIMEOUT", durationMs: 1 };

test.each([
  [accepted, 120, [`2026-11-28 17:03:02Z  email.sent              ${id}  → 204  8 ms`]],
  [accepted, 80, [`17:03:02  email.sent     ${id}  → 204  8 ms`]],
  [refused, 80, [`17:03:02  email.sent     ${id}`, "  ✗ UND_ERR_HEADERS_TIMEOUT  1 ms"]],
  [accepted, 60, [`17:03:02  email.sent  ${id}`, "  → 204  8 ms"]],
])("%j fits %i columns, the id whole", (outcome, width, lines) => {
  const event = { created_at: "2026-11-28T17:03:02.536Z", type: "email.sent" };
  expect(stripVTControlCharacters(forwardedLine(event, id, outcome, width)).split("\n")).toEqual(lines);
});
