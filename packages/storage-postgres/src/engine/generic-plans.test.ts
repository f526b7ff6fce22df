import type { Storage } from "@posthorn/core/storage";
import { beforeAll, expect, test } from "vitest";
import { planningSchema, useRecordingStorage } from "../../test/open-recording-storage.ts";
import { rowsRead } from "../../test/rows-read.ts";
import { plainValue } from "../statements/plain-value.ts";

const schema = planningSchema;
const now = 1_800_000_000_000;
const rows = 20_000;
const limit = 100;

/** One workspace has half of the e-mails, fifty share the others: plans without values expect few of any. */
const seed = `
  set search_path to "${schema}";
  insert into workspaces (name, name_key, is_trusted, created_at, updated_at)
    select 'w' || i, 'w' || i, true, 1, 1 from generate_series(1, 51) as i;
  insert into contents (hash, subject, html, text) values ('h', '', '', '');
  insert into emails (uuid, workspace_id, content_id, from_text, subject, to_addresses, tags, metadata, route, lane, is_sensitive, created_at)
    select 'email' || i, case when i % 2 = 0 then 1 else 2 + i / 2 % 50 end, 1, '', '', '[]', '[]', '{}', 'w:1', 1, false, ${now} + i
    from generate_series(1, ${rows}) as i;
  insert into email_outcomes (email_id, workspace_id, status, settled_at) select id, workspace_id, 'sent', ${now} from emails;
  update emails set scheduled_at = ${now} where id % 40 < 2;
  insert into email_queue (email_id, route, lane, due_at, queued_at, bytes)
    select id, 'w:1', 1, 1, 1, 1 from emails where id % 2 = 0 and id > ${rows / 2};
  analyze emails, email_outcomes, email_queue`;

const opened = useRecordingStorage(seed);
let storage: Storage;

beforeAll(async () => {
  storage = opened.storage;
  // An index alone is read where the visibility map says that the rows are.
  await opened.pool.query(`vacuum "${schema}".emails`);
});

const literalOf = (value: unknown): string =>
  value === null ? "null" : `'${String(plainValue(value)).replaceAll("'", "''")}'`;

/** Runs a statement by the plan that a connection keeps for it, whatever its values; returns the number of rows that it reads. */
const rowsReadBy = async ({ text, values }: { text: string; values: unknown[] }): Promise<number> => {
  const client = await opened.pool.connect();
  try {
    // With PostgreSQL's default costs, at which reading an index alone is much cheaper than rows, too.
    await client.query(
      `begin; set local plan_cache_mode = force_generic_plan; set local random_page_cost = 4; prepare one as ${text}`,
    );
    const given = values.length === 0 ? "" : `(${values.map(literalOf).join()})`;
    const answer = await client.query(`explain (analyze, format json) execute one ${given}`);
    return rowsRead(answer.rows[0]["QUERY PLAN"][0].Plan);
  } finally {
    await client.query("rollback; deallocate all");
    client.release();
  }
};

test.each([
  ["a step of retention", () => storage.emails.deleteBefore(1, now, limit, rows / 2)],
  [
    "the page of scheduled e-mails, of which none is left,",
    () => storage.emails.list({ workspaceId: 1, status: "scheduled" }, { offset: 0, limit: 20 }, now),
  ],
  ["one that removes contents", () => storage.emails.forgetContents(1, now, limit, rows / 2)],
] as const)("by a plan for any workspace, %s reads few e-mails of a large one", async (_, call) => {
  const recorded = await opened.record(call);
  expect(recorded.length).toBeGreaterThan(0);
  for (const statement of recorded.filter(({ text }) => text.startsWith("select")))
    expect(await rowsReadBy(statement), statement.text).toBeLessThan(rows / 8);
});
