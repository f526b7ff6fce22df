import type { Storage } from "@posthorn/core/storage";
import { beforeAll, expect, test } from "vitest";
import { planningSchema, useRecordingStorage } from "../../test/open-recording-storage.ts";
import { rowsRead } from "../../test/rows-read.ts";

const schema = planningSchema;
const now = 1_800_000_000_000;
const rows = 20_000;
/** Recipients of a campaign, of whose e-mails few wait, which the statistics don't know. */
const listed = 1_800;
const files = { digest: `d${rows}`, items: [] };
const lastHour = { workspaceId: "all", since: now - 3_600_000 } as const;
const rare = { workspaceId: "all", type: "email.bounced" } as const;
const lastEmails = { workspaceId: "all", from: now + rows - 50 } as const;
const content = { subject: "S", html: "", text: "T" };

/** A long log, which the statistics know; and contents, stylesheets, files and reports, of which there are none yet. */
const seed = `
  set search_path to "${schema}";
  alter table contents set (autovacuum_enabled = false);
  alter table stylesheet_sets set (autovacuum_enabled = false);
  alter table blobs set (autovacuum_enabled = false);
  alter table attachment_sets set (autovacuum_enabled = false);
  alter table recipient_reports set (autovacuum_enabled = false);
  insert into workspaces (name, name_key, is_trusted, created_at, updated_at) values ('w', 'w', true, 1, 1);
  insert into contents (hash, subject, html, text) select 'h' || i, '', '', '' from generate_series(1, ${rows}) as i;
  insert into stylesheet_sets (hash, css) select 'h' || i, '' from generate_series(1, ${rows}) as i;
  insert into blobs (id, digest, size, created_at, check_at) select i, 'd' || i, 1, 1, null from generate_series(1, ${rows}) as i;
  insert into attachment_sets (digest) select 'd' || i from generate_series(1, ${rows}) as i;
  insert into emails (uuid, workspace_id, batch_id, content_id, from_text, subject, to_addresses, tags, metadata, route, lane, is_sensitive, created_at)
    select 'email' || i, 1, 'batch' || i / 500, i, '', '', '[]', '[]', '{}', 'w:1', 1, false, ${now} + i
    from generate_series(1, ${rows}) as i;
  insert into email_outcomes (email_id, workspace_id, status, settled_at) select id, 1, 'sent', ${now} from emails;
  insert into recipient_reports (email_id, position, kind, bounce_class, category, reply, source, is_believed, at)
    select id, 0, 'bounce', '', '', '', '', true, 1 from emails;
  insert into api_keys (uuid, workspace_id, name, prefix, digest, created_at, expires_at, expiry_told_at)
    select 'key' || i, 1, '', '', 'd' || i, 1, ${now} - i, 1 from generate_series(1, ${rows}) as i;
  insert into campaigns (id, workspace_id, name, name_key, status, plan, created_at, updated_at)
    values (1, 1, 'c', 'c', 'running', '{}', 1, 1);
  insert into campaign_recipients (campaign_id, position, name, address, address_key, template_data, state, email_id)
    select 1, i, '', 'p' || i, 'p' || i, '{}', 'queued', 'email' || i from generate_series(1, ${listed}) as i;
  insert into events (category, type, actor_name, client_ip, message, metadata, created_at)
    select 'email', 'email.sent', '', '', '', '{}', ${now} - (${rows} - i) * bigint '240000' from generate_series(1, ${rows}) as i;
  update events set type = 'email.bounced' where id <= 20;
  analyze emails, events, email_outcomes, api_keys, campaign_recipients, email_queue;
  alter table email_queue set (autovacuum_enabled = false);
  delete from email_outcomes where email_id > ${listed - 20} and email_id <= ${listed};
  insert into email_queue (email_id, route, lane, due_at, queued_at, bytes)
    select id, 'c:1:1', 2, 1, 1, 1 from emails where id > ${listed - 20} and id <= ${listed}`;

const opened = useRecordingStorage(seed);
let storage: Storage;

beforeAll(() => {
  storage = opened.storage;
});

const listOf = async (state: "queued" | "settled") => {
  const { total } = await storage.campaigns.recipients(
    { id: 1, workspaceId: 1 },
    { state },
    { offset: 0, limit: 9 },
  );
  expect(total).toBe(state === "queued" ? 20 : listed - 20);
};

test.each([
  ["a step of retention late in the log", () => storage.emails.deleteBefore(1, now, 100, rows / 2)],
  ["one that removes contents", () => storage.emails.forgetContents(1, now, 100, rows / 2)],
  ["the counts of a batch", () => storage.batches.counts({ id: "batch7", workspaceId: 1 }, now)],
  ["a content that is stored already", () => storage.contents.put(content)],
  ["a set of stylesheets that is stored already", () => storage.contents.putStylesheetSet("a {}")],
  ["a file that is stored already", () => storage.attachments.takeBlob(`d${rows}`, now)],
  ["one whose time has to be extended", () => storage.attachments.takeBlob(`d${rows - 1}`, now)],
  ["a list of files that is stored already", () => storage.attachments.putSet(files)],
  ["a campaign's settled recipients", () => listOf("settled")],
  ["those whose e-mails wait", () => listOf("queued")],
  ["the last e-mails of all workspaces", () => storage.emails.list(lastEmails, { offset: 0, limit: 9 }, now)],
  ["events of the last hour", () => storage.events.list(lastHour, { offset: 0, limit: 9 })],
  ["the last of a rare type of e-mails' events", () => storage.events.list(rare, { offset: 0, limit: 9 })],
  ["a follower of these", () => storage.events.listAfter(0, lastHour, 9)],
  ["the search for API keys that expire soon", () => storage.apiKeys.takeExpiring(now, 100)],
])("%s reads few rows of long tables", async (_, call) => {
  await storage.contents.put(content);
  await storage.contents.putStylesheetSet("a {}");
  await storage.attachments.takeBlob(`d${rows}`, now);
  const recorded = (await opened.record(call)).filter(({ text }) => /^\s*(?:select|update)/.test(text));
  expect(recorded.length).toBeGreaterThan(0);
  for (const statement of recorded)
    expect(rowsRead(await opened.execute(statement)), statement.text).toBeLessThan(rows / 10);
});
