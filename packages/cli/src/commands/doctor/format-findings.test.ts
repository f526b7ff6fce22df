import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { formatFindings } from "./format-findings.ts";

const findings = [
  { check: "configuration", state: "ok", found: "no setting is at fault" },
  {
    check: "mail server",
    state: "warning",
    found: "none: nothing can be delivered",
    advice: "Set SERVICE_SMTP_URL, such as smtp://mail.example.com",
  },
] as const;

test("a report fits a terminal of 40 columns, and keeps 20 for texts in a narrower one", () => {
  const lines = formatFindings(findings, 40).map(stripVTControlCharacters);
  expect(lines).toEqual([
    "✓ configuration  no setting is at fault",
    "! mail server    none: nothing can be",
    "                 delivered",
    "                 Set SERVICE_SMTP_URL,",
    "                 such as",
    "                 smtp://mail.example.com",
  ]);
  expect(formatFindings(findings, 10).map(stripVTControlCharacters)).toContain(
    "! mail server    none: nothing can be",
  );
});
