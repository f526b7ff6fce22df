import { expect, test } from "vitest";
import { wantsEvent } from "./webhook-match.ts";

const sender = "Shop@Mail.Example";

test.each<[filters: string[], isWanted: boolean]>([
  [[], true],
  [["shop@mail.example"], true],
  [["mail.example"], true],
  [["other@mail.example"], false],
  [["example"], false],
  [["other@mail.example", "mail.example"], true],
])("with the filters %j, an event of a sender matches: %s", (filters, isWanted) => {
  expect(wantsEvent({ events: ["email.sent"], filters }, "email.sent", sender)).toBe(isWanted);
});

test("an event without a sender matches every filter, and an unsubscribed type none", () => {
  const filters = ["other.example"];
  expect(wantsEvent({ events: ["*"], filters }, "webhook.test", undefined)).toBe(true);
  expect(wantsEvent({ events: ["email.sent"], filters: [] }, "email.failed", sender)).toBe(false);
});
