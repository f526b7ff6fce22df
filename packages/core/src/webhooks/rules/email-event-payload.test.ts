import { expect, test } from "vitest";
import { bounceClass, emailEventPayload } from "./email-event-payload.ts";

test("the types that service.md names hold its fields exactly; all others carry data", () => {
  const data = { subject: "Hi", tags: ["a"], metadata: { order: 7 }, recipient: "ada@example.com" };
  const at = Date.UTC(2026, 10, 21);
  const timestamp = "2026-11-21T00:00:00.000Z";
  for (const event of ["email.sent", "email.failed"])
    expect(JSON.parse(emailEventPayload(event, "id", at, data))).toEqual({
      event,
      email_id: "id",
      timestamp,
    });
  const event = "email.bounced";
  expect(JSON.parse(emailEventPayload(event, "id", at, data))).toEqual({
    event,
    email_id: "id",
    timestamp,
    data,
  });
});

test.each([
  ["550 5.1.1 no such user", "unknown_recipient"],
  ["552 5.2.2 over quota", "mailbox_full"],
  ["550-5.2.1 disabled", "mailbox_unavailable"],
  ["552 5.3.4 message too big", "too_large"],
  ["550 5.4.4 no route", "routing"],
  ["554 5.7.1 rejected", "policy"],
  ["550 no such user at 10.1.1.1", "other"],
  ["", "other"],
])("%j is %s", (reply, expected) => expect(bounceClass(reply)).toBe(expected));
