import type { Storage } from "@posthorn/core/storage";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { planningSchema, useRecordingStorage } from "../test/open-recording-storage.ts";
import { runOnce, testPostgresUrl } from "../test/open-test-storage.ts";
import type { PlanNode } from "../test/rows-read.ts";

const schema = planningSchema;
const now = 1_800_000_000_000;
const delivered = 2_000;
const waiting = 20;

const seed = `
  set search_path to "${schema}";
  insert into workspaces (name, name_key, is_trusted, created_at, updated_at) values ('w', 'w', true, 1, 1);
  insert into webhooks (uuid, workspace_id, url, events, filters, is_active, secret, created_at, updated_at)
    values ('hook', 1, '', '[]', '[]', true, '', 1, 1);
  ${deliveries("delivered", delivered, now - 10_000)}`;

function deliveries(name: string, count: number, dueAt: number): string {
  return `insert into webhook_deliveries (uuid, webhook_id, workspace_id, event, payload, status, due_at, queued_at, created_at)
    select '${name}' || i, 1, 1, 'email.sent', '{}', 'pending', ${dueAt} + i, 1, 1 from generate_series(1, ${count}) as i;`;
}

const opened = useRecordingStorage(seed);
let storage: Storage;
let dump: pg.Client;

/** A dump begins, and while it goes on, all that waits is delivered, and others come. */
beforeAll(async () => {
  storage = opened.storage;
  const url = await testPostgresUrl();
  dump = new pg.Client({ connectionString: url });
  await dump.connect();
  await dump.query("begin isolation level repeatable read");
  await dump.query("select txid_current_snapshot()");
  await runOnce(
    url,
    `set search_path to "${schema}";
    update webhook_deliveries set status = 'delivered', due_at = null, settled_at = 1;
    ${deliveries("waiting", waiting, now - 1_000)}`,
  );
});
afterAll(() => dump.end());

/** How many entries of indexes a plan follows to their rows, whether these are gone or not. */
const fetches = ({ Plans = [], ...scan }: PlanNode): number =>
  Plans.reduce((sum, one) => sum + fetches(one), (scan["Heap Fetches"] ?? 0) * scan["Actual Loops"]);

const fetchesOf = async (call: () => Promise<unknown>): Promise<number> => {
  let sum = 0;
  for (const statement of await opened.record(call))
    if (/^\s*(?:select case|with recursive)/.test(statement.text))
      sum += fetches(await opened.execute(statement));
  return sum;
};

test("while an old transaction is open, a look walks once over the deliveries that are done with, and over none from floors, as a claim", async () => {
  const { webhookDeliveries } = storage;
  const look = () => webhookDeliveries.look({ now, most: 16, limit: 9 });
  const [endpoint] = await look();
  const floors = (await webhookDeliveries.firsts()).map(({ row, dueAt: since }) => ({ row, since }));
  expect(await webhookDeliveries.look({ now, most: 16, limit: 9, floors })).toEqual([endpoint]);
  for (const each of [
    () => webhookDeliveries.look({ now, most: 16, limit: 9, floors }),
    () => webhookDeliveries.nextDueAt(floors),
    () => webhookDeliveries.firsts(floors),
  ])
    expect(await fetchesOf(each)).toBeLessThan(delivered / 2);
  expect(endpoint).toMatchObject({ due: 16, dueAt: now - 999 });
  const wants = [{ row: endpoint?.row ?? 0, limit: 16, since: endpoint?.dueAt ?? 0 }];
  for (const each of [look, () => webhookDeliveries.nextDueAt()]) {
    const walked = await fetchesOf(each);
    expect(walked).toBeGreaterThanOrEqual(delivered);
    expect(walked).toBeLessThan(1.5 * delivered);
  }
  expect(
    await fetchesOf(async () => {
      const claimed = await webhookDeliveries.claim({ wants, now, leaseMs: 1_000 });
      expect(claimed.map(({ delivery }) => delivery.id)).toEqual(
        Array.from({ length: 16 }, (_, at) => `waiting${at + 1}`),
      );
    }),
  ).toBeLessThan(delivered / 2);
});
