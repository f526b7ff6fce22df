import type { Storage } from "@posthorn/core/storage";
import { beforeAll, expect, test } from "vitest";
import { planningSchema, useRecordingStorage } from "../../test/open-recording-storage.ts";
import { rowsRead } from "../../test/rows-read.ts";

const schema = planningSchema;
const now = 1_800_000_000_000;
const rows = 10_000;

/** A workspace with few audit events among its many of e-mails, and another with many audit events. */
const seed = `
  set search_path to "${schema}";
  insert into workspaces (name, name_key, is_trusted, created_at, updated_at)
    select 'w' || i, 'w' || i, true, 1, 1 from generate_series(1, 2) as i;
  insert into emails (uuid, workspace_id, from_text, subject, to_addresses, tags, metadata, route, lane, is_sensitive, created_at)
    select 'email' || i, i % 2 + 1, '', '', '[]', '[]', '{}', 'w:1', 1, false, i from generate_series(1, ${rows}) as i;
  insert into email_queue (email_id, route, lane, due_at, queued_at, bytes)
    select id, case when id % 1000 = 0 then case when id % 2000 = 0 then 'w:1' else 'c:1:7' end else 'w:' || 2 + id % 50 end, 1, 1, 1, 1
    from emails;
  insert into email_recipients (email_id, position, workspace_id, kind, name, address, address_key, state)
    select id, 0, workspace_id, 'to', '', 'a', 'a', 'delivered' from emails;
  insert into email_labels (email_id, label, workspace_id)
    select id, case workspace_id when 2 then 'tcommon' else 'tother' end, workspace_id from emails;
  insert into email_outcomes (email_id, workspace_id, status, settled_at) select id, workspace_id, 'sent', 1 from emails;
  insert into events (category, type, workspace_id, actor_name, client_ip, message, metadata, created_at)
    select 'email', 'email.sent', 1, '', '', '', '{}', i from generate_series(1, ${rows}) as i;
  insert into events (category, type, workspace_id, actor_name, client_ip, message, metadata, created_at)
    select 'audit', 'template.updated', case when i % 1000 = 0 then 1 else 2 end, '', '', '', '{}', i
    from generate_series(1, ${rows}) as i;
  insert into suppressions (workspace_id, scope, address_key, domain_key, address, origin, reason, created_at, replaced)
    select 1, '*', 'a' || i || '@d.example', 'd.example', '', 'manual', '', i, 0 from generate_series(1, ${rows}) as i;
  insert into campaigns (workspace_id, name, name_key, status, plan, recipients, created_at, updated_at)
    values (1, 'c', 'c', 'completed', '{}', ${rows}, 1, 1);
  insert into campaign_recipients (campaign_id, position, name, address, address_key, template_data, state, email_id)
    select (select id from campaigns), id, '', 'a' || id, 'a' || id, '{}', 'queued', uuid from emails;
  insert into webhooks (uuid, workspace_id, url, events, filters, is_active, secret, created_at, updated_at)
    select 'hook' || i, 1, '', '["*"]', '[]', true, '', 1, 1 from generate_series(1, 3) as i;
  insert into webhook_deliveries (uuid, webhook_id, workspace_id, event, payload, status, queued_at, created_at, settled_at)
    select 'delivery' || i, case when i < 9 then 3 else 1 + i % 2 end, 1, 'email.sent', '{}', 'delivered', 1, 1, 1
    from generate_series(1, ${rows}) as i;
  analyze webhooks, webhook_deliveries;
  analyze emails, email_recipients, email_outcomes, email_queue, events, suppressions, campaign_recipients, email_labels, claim_items`;

const opened = useRecordingStorage(seed);
let storage: Storage;

beforeAll(async () => {
  storage = opened.storage;
  await opened.pool.query(`vacuum "${schema}".emails`);
});

const slice = { offset: 0, limit: 20 };
const later = { ...slice, after: { key: 15_000, total: 10 } };

test.each([
  [
    "the log between two times",
    "emails_created",
    () => storage.emails.list({ workspaceId: 1, from: 3_000, until: 6_000 }, slice, now),
  ],
  [
    "a workspace's few e-mails that wait",
    "email_queue_order",
    () => storage.emails.list({ workspaceId: 1, status: "queued" }, later, now),
  ],
  [
    "a workspace's audit log",
    "events_workspace_category",
    () => storage.events.list({ workspaceId: 1, category: "audit" }, slice),
  ],
  [
    "a workspace's audit log after a position",
    "events_workspace_category",
    () => storage.events.list({ workspaceId: 1, category: "audit" }, later),
  ],
  [
    "suppressions that begin alike",
    "suppressions_address",
    () => storage.suppressions.list({ workspaceId: 1, q: "a52" }, slice, now),
  ],
  [
    "a webhook's few deliveries",
    "webhook_deliveries_webhook",
    () => storage.webhookDeliveries.list(1, "hook3", slice),
  ],
  [
    "a webhook's few deliveries, after a position",
    "webhook_deliveries_webhook",
    () => storage.webhookDeliveries.list(1, "hook3", later),
  ],
] as const)("%s is found by its index, whatever else there is", async (_, index, call) => {
  const recorded = await opened.record(call);
  expect(recorded.length).toBeGreaterThan(0);
  for (const statement of recorded)
    expect(await opened.planOf(statement), statement.text).toMatch(new RegExp(`(?:using|on) ${index}\\b`));
});

test.each([
  ["of a workspace, for a status and times", { workspaceId: 1, status: "sent", from: 1, until: rows }],
  ["of all workspaces, for a status and times", { workspaceId: "all", status: "sent", from: 1, until: rows }],
  ["of all workspaces, for a rare status", { workspaceId: "all", status: "suppressed", from: 1 }],
  ["of all workspaces, for those being sent", { workspaceId: "all", status: "sending" }],
] as const)(
  "of an address that gets most e-mails, each is looked up %s, none compared with others",
  async (_, more) => {
    const filter = { to: "a", ...more };
    const ask = async (one: typeof slice) =>
      (await opened.record(() => storage.emails.list(filter, one, now))).filter(({ text }) =>
        text.includes("email_recipients"),
      );
    const [page] = await ask(slice);
    // A page with nothing doesn't tell the total, which is counted then.
    const [, count, ...others] = await ask({ ...slice, limit: -1 });
    expect(others).toEqual([]);
    for (const statement of [page, count]) {
      const plan = statement && (await opened.planOf(statement));
      expect(plan).toMatch(/using emails_pkey\b/);
      expect(plan).not.toMatch(/email_recipients_pkey/);
      // The workspaces, of each of which the address's e-mails are found, are the only ones joined.
      expect(plan?.match(/Nested Loop|Join/g) ?? []).toHaveLength(more.workspaceId === "all" ? 1 : 0);
    }
  },
);

test("of e-mails with a label that others' have, those being sent are found without looking at all e-mails", async () => {
  const filter = { workspaceId: 1, status: "sending", tag: "common" } as const;
  const recorded = await opened.record(() => storage.emails.list(filter, slice, now));
  for (const statement of recorded)
    expect(rowsRead(await opened.execute(statement), "emails"), statement.text).toBeLessThan(100);
});

const far = { offset: 4_000, limit: 20 };

test.each([
  ["the log", () => storage.emails.list({ workspaceId: 1 }, far, now)],
  ["the log between two times", () => storage.emails.list({ workspaceId: 1, until: rows }, far, now)],
  ["the log of all", () => storage.emails.list({ workspaceId: "all" }, far, now)],
  ["a list of recipients", () => storage.campaigns.recipients({ id: 1, workspaceId: 1 }, {}, far)],
] as const)("of %s, a far page looks up no outcomes of rows that it skips", async (_, call) => {
  const recorded = await opened.record(call);
  const read = [];
  for (const statement of recorded) read.push(rowsRead(await opened.execute(statement), "email_outcomes"));
  expect(Math.max(...read)).toBe(far.limit + 1);
});

test("recipients of a small campaign whose e-mails failed are found without looking at all of the workspace that did", async () => {
  await opened.pool.query(`
    set search_path to "${schema}";
    insert into campaigns (workspace_id, name, name_key, status, plan, recipients, created_at, updated_at)
      values (1, 'few', 'few', 'completed', '{}', 10, 1, 1);
    update emails set campaign_id = (select id from campaigns where name = 'few') where id <= 20 and workspace_id = 1;
    insert into campaign_recipients (campaign_id, position, name, address, address_key, template_data, state, email_id)
      select campaign_id, id, '', 'few' || id, 'few' || id, '{}', 'queued', uuid from emails where campaign_id > 1;
    update email_outcomes set status = 'failed' where workspace_id = 1;
    analyze emails, campaign_recipients, email_outcomes`);
  const recorded = await opened.record(async () => {
    const few = { id: 2, workspaceId: 1 };
    const found = await storage.campaigns.recipients(few, { emailStatus: "failed" }, slice);
    expect([found.total, found.items.length]).toEqual([10, 10]);
  });
  for (const statement of recorded) {
    const plan = await opened.execute(statement);
    expect(rowsRead(plan), statement.text).toBeLessThan(100);
  }
});
