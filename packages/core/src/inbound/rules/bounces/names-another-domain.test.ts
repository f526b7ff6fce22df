import { expect, test } from "vitest";
import { statusReport } from "../../../../test/status-report.ts";
import { explainReport } from "../../explain-report.ts";
import { namesAnotherDomain } from "./names-another-domain.ts";

test.each([
  ["ada@example.com", false],
  ["ada@mail.EXAMPLE.com", false],
  ["ada@notexample.com", true],
  ["ada@com", true],
])("a reply that misses example.com names a domain that is not that of %s: %s", (address, answer) => {
  expect(namesAnotherDomain("550 Domain example.com not found", [address])).toBe(answer);
});

test.each([
  "Host or domain name not found. Name service error for name=HOST type=AAAA: Host not found",
  "550 5.1.2 <ada@example.com>... Host unknown (Name server: HOST.: host not found)",
  "Sorry, I couldn't find any host named HOST. (#5.1.2)",
  "unable to look up host HOST: Name service error: Host not found",
])("a relay of its own that a server could not look up is not the recipient's domain: %s", (words) => {
  const at = (host: string) => namesAnotherDomain(words.replace("HOST", host), ["ada@example.com"]);
  expect([at("relay.isp.example"), at("relay"), at("example.com"), at("EXAMPLE.com")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("nor is one that Sendmail (8.17) names in its report alone, without any reply", () => {
  const suppress = (host: string, status = "5.1.2") =>
    explainReport(
      statusReport({
        groups: [
          [
            "Final-Recipient: RFC822; ada@example.com",
            "X-Actual-Recipient: rfc822; ada@example.com",
            "Action: failed",
            `Status: ${status}`,
            `Remote-MTA: DNS; ${host}`,
          ],
        ],
      }),
    ).findings.map((one) => one.suppress);
  expect([
    suppress("relay.isp.example"),
    suppress("example.com."),
    suppress("mx.isp.example", "5.1.1"),
  ]).toEqual([["never"], ["at_once"], ["at_once"]]);
});

test("what a report has in place of an address is compared in a time proportional to its length", () => {
  const address = `ada@${"a.".repeat(20_000)}a`;
  const begun = process.cpuUsage();
  expect(namesAnotherDomain("550 Domain example.com not found", [address])).toBe(true);
  expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(1_000);
});
