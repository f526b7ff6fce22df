import type { Counters } from "@posthorn/core";
import { expect, test } from "vitest";
import { addCounters } from "./add-counters.ts";

const createCounters = (): Counters => ({
  emails: { sent: 0, deferred: 0, failed: 0 },
  webhooks: { delivered: 0, retried: 0, failed: 0 },
  inbound: { notification: 0, complaint: 0, auto_reply: 0, other: 0, unmatched: 0 },
});

test("adds up counters outcome by outcome", () => {
  const [one, other] = [createCounters(), createCounters()];
  one.emails.sent = 2;
  one.inbound.complaint = 1;
  other.emails.sent = 40;
  other.webhooks.retried = 3;
  expect(addCounters(one, other)).toEqual({
    ...createCounters(),
    emails: { sent: 42, deferred: 0, failed: 0 },
    webhooks: { delivered: 0, retried: 3, failed: 0 },
    inbound: { ...createCounters().inbound, complaint: 1 },
  });
  expect(one.emails.sent).toBe(2);
  expect(addCounters(one, undefined)).toBe(one);
});
