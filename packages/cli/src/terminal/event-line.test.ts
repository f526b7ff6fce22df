import { expect, test } from "vitest";
import { eventLine } from "./event-line.ts";

const event = {
  id: 7,
  category: "audit",
  type: "plan.created",
  workspace_id: null,
  user_id: null,
  actor_id: 1,
  actor_name: "Eve\u001b[2J",
  client_ip: "",
  message: "Eve\u001b[2J created a plan: \u202egold\nfake line",
  metadata: '{"plan_id":1,"name":"x"}',
  created_at: "1970-01-01T00:00:00.000Z",
} as const;

test("prints an event as one line, whatever its text", () => {
  const line = eventLine(event);
  expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(line).toContain("1970-01-01 00:00:00Z  audit     plan.created");
  expect(line).toContain("created a plan: �gold�fake line");
});
