import { expect, test } from "vitest";
import type { Caller } from "../calls/caller.ts";
import { clientGuard, guardOf } from "./guard-attempts.ts";

const minute = 60_000;
const hour = 60 * minute;
const anonymous: Caller = { kind: "anonymous" };
const operator: Caller = { kind: "operator", name: "Posthorn" };
const of = (ip: string, caller: Caller = anonymous) => ({ client: { ip, userAgent: "" }, caller });

// decisions §2
test("limits of guesses and e-mails match the specification", () => {
  const bounds = [
    guardOf.accountPasswords("ada@example.com"),
    guardOf.codes(7),
    guardOf.resetMails("ada@example.com"),
    guardOf.verificationMails("ada@example.com"),
    guardOf.invitations(7),
    guardOf.invitationsBy(7),
    guardOf.roleChanges(7, 8),
  ];
  expect(bounds.map(({ limit, windowMs }) => [limit, windowMs])).toEqual([
    [10, 15 * minute],
    [5, 5 * minute],
    [3, hour],
    [5, hour],
    [100, hour],
    [200, hour],
    [20, hour],
  ]);
});

test("an address is counted in any case, and is not part of the key", () => {
  const { key } = guardOf.accountPasswords("Ada@Example.com");
  expect(key).toBe(guardOf.accountPasswords("ada@example.com").key);
  expect(key).not.toMatch(/ada/i);
  expect(key).not.toBe(guardOf.resetMails("ada@example.com").key);
});

test("a client has its own limits, by its network", () => {
  const kinds = ["passwords", "mailedTokens", "registrations", "mails"] as const;
  expect(kinds.map((kind) => clientGuard(kind, of("192.0.2.1")))).toEqual([
    { name: "passwords:client", key: "passwords:client:192.0.2.1", limit: 50, windowMs: 15 * minute },
    { name: "mailedTokens:client", key: "mailedTokens:client:192.0.2.1", limit: 50, windowMs: 15 * minute },
    { name: "registrations:client", key: "registrations:client:192.0.2.1", limit: 10, windowMs: hour },
    { name: "mails:client", key: "mails:client:192.0.2.1", limit: 30, windowMs: hour },
  ]);
  const [one, next, other] = ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"].map(
    (ip) => clientGuard("mails", of(ip))?.key,
  );
  expect(one).toBe(next);
  expect(one).not.toBe(other);
});

test("clients with unknown addresses share a larger limit, and the host itself has none", () => {
  expect(clientGuard("passwords", of(""))).toEqual({
    name: "passwords:client",
    key: "passwords:client:unknown",
    limit: 1_000,
    windowMs: 15 * minute,
  });
  expect(clientGuard("passwords", of("", operator))).toBeUndefined();
  expect(clientGuard("passwords", of("192.0.2.1", operator))).toBeDefined();
});
