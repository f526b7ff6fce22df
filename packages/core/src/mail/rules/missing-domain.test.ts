import { expect, test } from "vitest";
import { isDomainGone, missingDomainDelay, missingSince, saysDomainMissing } from "./missing-domain.ts";

const hour = 3_600_000;

test.each([
  "450 4.1.2 <ada@nowhere.example>: Recipient address rejected: Domain not found",
  "451 NXDOMAIN looking up nowhere.example",
  "450 4.4.4 Host or domain name not found. Name service error for name=nowhere.example type=MX: Host not found",
  "450 No such domain",
  "451 The domain nowhere.example does not exist",
])("says that the domain is missing: %s", (reply) => {
  expect(saysDomainMissing({ code: Number(reply.slice(0, 3)), reply })).toBe(true);
});

test.each([
  "450 4.1.8 <shop@nowhere.example>: Sender address rejected: Domain not found",
  "450 4.7.1 <host>: Helo command rejected: Host not found",
  "450 Sender domain not found",
  "451 4.4.3 Host or domain name not found. Name service error: Host not found, try again",
  "451 4.4.3 Temporary lookup failure: domain not found",
  "450 4.2.0 Greylisted",
  "450 4.1.1 <ada@example.com>: user does not exist",
  "250 2.1.5 domain not found, but ok",
])("says something else: %s", (reply) => {
  expect(saysDomainMissing({ code: Number(reply.slice(0, 3)), reply })).toBe(false);
});

test("a domain is missing since the first of consecutive such replies, ignoring errors without a reply", () => {
  const [gone, later] = [
    { code: 450, reply: "450 4.1.2 Domain not found" },
    { code: 451, reply: "451 later" },
  ];
  expect(missingSince(gone, { before: undefined, now: 5 })).toBe(5);
  expect(missingSince(gone, { before: 5, now: 9 })).toBe(5);
  expect(missingSince({ code: undefined, reply: "timed out" }, { before: 5, now: 9 })).toBe(5);
  expect(missingSince(later, { before: 5, now: 9 })).toBeUndefined();
});

test("it is given up after 48 hours, for which an e-mail waits at most 2 hours longer than others", () => {
  expect([isDomainGone(1, 48 * hour), isDomainGone(1, 48 * hour + 1)]).toEqual([false, true]);
  const at = { now: 47.5 * hour, ageMs: 47.5 * hour };
  expect(missingDomainDelay(hour, at)).toBe(1.5 * hour);
  expect(missingDomainDelay(2 * hour + 1, at)).toBeUndefined();
  expect(missingDomainDelay(undefined, at)).toBeUndefined();
  expect(missingDomainDelay(1, { now: 49 * hour, ageMs: 49 * hour })).toBeUndefined();
});
