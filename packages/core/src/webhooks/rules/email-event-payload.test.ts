import { expect, test } from "vitest";
import { emailEventPayload } from "./email-event-payload.ts";

test("the types that service.md names have exactly its fields; all others have data", () => {
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
