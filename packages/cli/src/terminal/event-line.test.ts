import { stripVTControlCharacters } from "node:util";
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

const failure = {
  ...event,
  type: "email.failed",
  actor_name: "Posthorn",
  message: "Posthorn failed to deliver an e-mail",
  metadata: '{"reply":"550 5.1.1 There is no such user here"}',
} as const;

test.each([
  [80, "     7  1970-01-01 00:00:00Z  Eve�[2J created a plan: �gold�fake line {"],
  [100, "     7  1970-01-01 00:00:00Z  plan.created              Eve�[2J created a plan: �gold�fake line"],
  [140, "     7  1970-01-01 00:00:00Z  audit     plan.created              –               Eve�[2J"],
])("an event takes one line of a terminal of %i columns", (width, start) => {
  const line = stripVTControlCharacters(eventLine(event, width));
  expect(line.startsWith(start)).toBe(true);
  expect(line.length).toBeLessThanOrEqual(width);
});

test("a failure is told whole on a narrow terminal, below its beginning", () => {
  expect(stripVTControlCharacters(eventLine(failure, 80)).split("\n")).toEqual([
    '     7  1970-01-01 00:00:00Z  Posthorn failed to deliver an e-mail {"reply":"550',
    '                              5.1.1 There is no such user here"}',
  ]);
});
