import { expect, test } from "vitest";
import { eventKinds } from "../events.ts";
import { viewEvent } from "./event-view.ts";

const record = {
  id: 7,
  category: "email",
  workspaceId: 1,
  userId: undefined,
  actorId: undefined,
  actorName: "",
  clientIp: "",
  message: "",
  createdAt: 1,
} as const;

test("metadata has camelCase keys, names chosen by callers are unchanged, and the e-mail's id column is omitted", () => {
  const metadata = JSON.stringify({ email_id: "7", changes: { max_per_second: { from: 1, to: 2 } } });
  expect(viewEvent({ ...record, type: "email.sent", metadata, emailId: "7" })).toEqual({
    ...record,
    type: "email.sent",
    metadata: { emailId: "7", changes: { max_per_second: { from: 1, to: 2 } } },
  });
});

test("every stored key can be restored from its camelCase name", () => {
  const keys = [...new Set(Object.values(eventKinds).flatMap(({ metadata }) => [...metadata]))];
  expect(keys.length).toBeGreaterThan(40);
  const stored = JSON.stringify(Object.fromEntries(keys.map((key) => [key, 1])));
  const told = Object.keys(viewEvent({ ...record, type: "email.sent", metadata: stored }).metadata);
  const snake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  expect(told.map(snake)).toEqual(keys);
  expect(told.filter((key) => key.includes("_"))).toEqual([]);
});
