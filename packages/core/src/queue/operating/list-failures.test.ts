import { expect, test } from "vitest";
import type { EventRecord } from "../../ports/storage.ts";
import { listFailures } from "./list-failures.ts";

const event = (id: number, type: string, metadata: object): EventRecord => ({
  id,
  category: "email",
  type,
  workspaceId: 7,
  userId: undefined,
  actorId: undefined,
  actorName: "",
  clientIp: "",
  message: "",
  metadata: JSON.stringify(metadata),
  createdAt: id,
});

/** A log of events that records the ids it was read from. */
function recordOf(records: EventRecord[]) {
  const asked: number[] = [];
  return {
    asked,
    lastId: async () => records.at(-1)?.id ?? 0,
    async listAfter(after: number, _: object, limit: number) {
      asked.push(after);
      const events = records.filter(({ id }) => id > after).slice(0, limit);
      return { events, upTo: events.at(-1)?.id ?? after, isMore: events.length === limit };
    },
  };
}

test("an e-mail that bounced at once is listed once, the latest first, at most ten", async () => {
  const records = [
    event(1, "email.sent", { email_id: "a" }),
    event(2, "email.failed", { email_id: "b", reply: "550 no" }),
    event(3, "email.bounced", { email_id: "b", reply: "550 no" }),
    ...Array.from({ length: 9 }, (_, at) =>
      event(4 + at, "email.delivery_delayed", { email_id: `c${at}`, reply: "" }),
    ),
    event(20, "email.failed", { email_id: "d", reason: "the deadline is over" }),
  ];
  const failures = await listFailures(recordOf(records));
  expect(failures).toHaveLength(10);
  expect(failures[0]).toEqual({
    emailId: "d",
    workspaceId: 7,
    type: "email.failed",
    at: 20,
    reason: "the deadline is over",
  });
  expect(failures.filter(({ emailId }) => emailId === "b")).toEqual([]);
  expect((await listFailures(recordOf(records.slice(0, 3)))).map(({ type }) => type)).toEqual([
    "email.bounced",
  ]);
});

test("only the last 500 events are examined", async () => {
  const record = recordOf([
    event(1, "email.failed", { email_id: "a" }),
    event(90_000, "email.sent", { email_id: "b" }),
  ]);
  expect(await listFailures(record)).toEqual([]);
  expect(record.asked).toEqual([89_500]);
});
