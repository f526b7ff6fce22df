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

test("metadata is told by the library's names, what callers named stays, and the e-mail it is found by is left out", () => {
  const metadata = JSON.stringify({ email_id: "7", changes: { max_per_second: { from: 1, to: 2 } } });
  expect(viewEvent({ ...record, type: "email.sent", metadata, emailId: "7" })).toEqual({
    ...record,
    type: "email.sent",
    metadata: { emailId: "7", changes: { max_per_second: { from: 1, to: 2 } } },
  });
});

test("every key comes back from the library's name for it, as the wire has the stored ones", () => {
  const keys = [...new Set(Object.values(eventKinds).flatMap(({ metadata }) => [...metadata]))];
  expect(keys.length).toBeGreaterThan(40);
  const stored = JSON.stringify(Object.fromEntries(keys.map((key) => [key, 1])));
  const told = Object.keys(viewEvent({ ...record, type: "email.sent", metadata: stored }).metadata);
  const snake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  expect(told.map(snake)).toEqual(keys);
  expect(told.filter((key) => key.includes("_"))).toEqual([]);
});
