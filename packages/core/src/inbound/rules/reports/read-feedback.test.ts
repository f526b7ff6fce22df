import { describe, expect, test } from "vitest";
import { lines, token, tokens } from "../../../../test/status-report.ts";
import { readReport } from "./read-report.ts";

describe("a complaint", () => {
  const complaint = (type: string, more: string[] = [], returnedTo = "ada@example.com"): string =>
    lines(
      "From: fbl@isp.example",
      "Content-Type: multipart/report; report-type=feedback-report; boundary=x",
      "",
      "--x",
      "Content-Type: text/plain",
      "",
      "This is an email abuse report.",
      "--x",
      "Content-Type: message/feedback-report",
      "",
      `Feedback-Type: ${type}`,
      "User-Agent: ISP/1.0",
      "Version: 1",
      ...more,
      "",
      "--x",
      "Content-Type: message/rfc822",
      "",
      `To: ${returnedTo}`,
      `X-Service-Ref: ${token}`,
      "",
      "Hello",
      "--x--",
    );

  test.each(["abuse", "fraud", "virus", "opt-out", "Abuse"])("of the type %s counts", (type) => {
    const { kind, findings, mentions } = readReport(complaint(type, ["Original-Rcpt-To: <ada@example.com>"]));
    expect(kind).toBe("complaint");
    expect(findings).toMatchObject([
      { kind: "complaint", addresses: ["ada@example.com"], feedback: type.toLowerCase() },
    ]);
    expect(mentions.tokens).toEqual([token]);
  });

  test("of a type with a comment counts (RFC 5965 section 3.5)", () => {
    const { findings } = readReport(complaint("(the type) Abuse (by the button)"));
    expect(findings).toMatchObject([{ kind: "complaint", feedback: "abuse" }]);
  });

  test.each(["not-spam", "not-spam (abuse)", "dkim", "other", "", "abuse2"])(
    "of the type %j is ignored",
    (type) => {
      expect(readReport(complaint(type))).toMatchObject({ kind: "complaint", findings: [] });
    },
  );

  test("finds the e-mail by its return path if nothing else was returned", () => {
    const other = tokens.make({ row: 9, position: 0 });
    const { mentions, findings } = readReport(
      complaint("abuse", [`Original-Mail-From: <b-${other}@bounces.example>`], "redacted"),
    );
    expect(mentions.tokens[0]).toBe(other);
    expect(findings).toHaveLength(1);
  });

  test("lists each recipient that it concerns", () => {
    const { findings } = readReport(
      complaint("abuse", ["Original-Rcpt-To: a@example.com", "Original-Rcpt-To: b@example.com"]),
    );
    expect(findings.map(({ addresses }) => addresses)).toEqual([["a@example.com"], ["b@example.com"]]);
  });
});
