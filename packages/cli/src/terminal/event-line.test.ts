import { expect, test } from "vitest";
import { eventLine } from "./event-line.ts";

const event = {
  id: 7,
  category: "audit",
  type: "plan.created",
  workspaceId: undefined,
  userId: undefined,
  actorId: 1,
  actorName: "Eve\u001b[2J",
  clientIp: "",
  message: "Eve\u001b[2J created a plan: \u202egold\nfake line",
  metadata: { planId: 1, name: "x" },
  createdAt: 0,
} as const;

test("an event is one line, whatever stands in it", () => {
  const line = eventLine(event);
  expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(line).toContain("1970-01-01 00:00:00Z  audit     plan.created");
  expect(line).toContain("created a plan: �gold�fake line");
});
