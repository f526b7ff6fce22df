import { expect, test } from "vitest";
import { judgeVisit } from "./judge-visit.ts";

const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const safari =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

test.each([
  ["a browser", chrome, "browser", false, undefined],
  ["a phone's browser", safari, "browser", false, undefined],
  [
    "Firefox",
    "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
    "browser",
    false,
    undefined,
  ],
  [
    "Gmail's proxy",
    "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
    "image_proxy",
    false,
    undefined,
  ],
  [
    "Yahoo's proxy",
    "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html",
    "image_proxy",
    false,
    undefined,
  ],
  ["Apple's proxy", "Mozilla/5.0", "image_proxy", true, "image_proxy_prefetch"],
  [
    "Outlook",
    "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; .NET4.0C; Microsoft Outlook 16.0.17928; ms-office; MSOffice 16)",
    "mail_program",
    false,
    undefined,
  ],
  [
    "Thunderbird",
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.4.0",
    "mail_program",
    false,
    undefined,
  ],
  [
    "Apple Mail",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)",
    "mail_program",
    false,
    undefined,
  ],
  [
    "a phone's Apple Mail",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
    "mail_program",
    false,
    undefined,
  ],
  [
    "a scanner",
    "Mozilla/5.0 (compatible; Barracuda Sentinel; http://barracuda.com)",
    "machine",
    true,
    "known_agent",
  ],
  ["a scanner that seems to be a browser", `${chrome} Mimecast`, "machine", true, "known_agent"],
  ["Office looking ahead", "Microsoft Office Existence Discovery", "machine", true, "known_agent"],
  [
    "a search engine",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "machine",
    true,
    "known_agent",
  ],
  [
    "a messenger's preview",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "machine",
    true,
    "known_agent",
  ],
  ["a library", "python-requests/2.32.3", "machine", true, "known_agent"],
  ["curl", "curl/8.14.1", "machine", true, "known_agent"],
  [
    "a browser without a window",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36",
    "machine",
    true,
    "known_agent",
  ],
  ["another program", "Dalvik/2.1.0 (Linux; U; Android 14)", "unknown", null, undefined],
  ["nobody", " ", "unknown", null, undefined],
])("%s", (_, userAgent, agentClass, machine, reason) => {
  const visit = { ip: "192.0.2.1", userAgent, isPrefetch: false };
  expect(judgeVisit(visit)).toEqual({ agentClass, machine, reason });
});

test("what is fetched ahead is a machine's, whatever the program", () => {
  const verdict = (userAgent: string) => judgeVisit({ ip: "", userAgent, isPrefetch: true });
  expect(verdict(chrome)).toEqual({ agentClass: "browser", machine: true, reason: "prefetch_header" });
  expect(verdict("curl/8.14.1").reason).toBe("known_agent");
});

test("reads the first 500 characters of a user agent", () => {
  const visit = { ip: "", userAgent: `${chrome} ${"x".repeat(500)} Googlebot`, isPrefetch: false };
  expect(judgeVisit(visit).machine).toBe(false);
});
