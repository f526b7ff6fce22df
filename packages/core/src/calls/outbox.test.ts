import { expect, test } from "vitest";
import type { Caller } from "./caller.ts";
import { createEvent } from "./outbox.ts";

const operator: Caller = { kind: "operator", name: "Posthorn" };
const origin = { caller: operator, workspaceId: 7, clientIp: "192.0.2.1", now: 1 };
const messageOf = (...[type, emission]: [Parameters<typeof createEvent>[0], object]): string =>
  createEvent(type, emission, origin).message;

test("an event states who did what, and names the object or the change if there is one", () => {
  expect(messageOf("template.created", { metadata: { name: "welcome" } })).toMatch(/^Posthorn .+: welcome$/);
  expect(messageOf("member.role_updated", { metadata: { from: "viewer", to: "editor" } })).toBe(
    "Posthorn changed a member's role from viewer to editor",
  );
  expect(messageOf("workspace.plan_assigned", { metadata: { from: "Small" } })).toBe(
    "Posthorn changed the workspace's plan",
  );
  expect(messageOf("template.created", { actor: { id: undefined, name: "" } })).toMatch(/^Someone /);
});

test("metadata that is not listed in the table is a programmer's error", () => {
  expect(() => messageOf("template.created", { metadata: { colour: "red" } })).toThrow(
    "event template.created has no metadata key colour",
  );
});
