import { expect, test } from "vitest";
import { planningSchema, useRecordingStorage } from "../../test/open-recording-storage.ts";

const now = 1_800_000_000_000;
const schema = planningSchema;
/** Half of the e-mails were queued by a clock that was ahead, and a tenth is scheduled: the statistics know of neither. */
const seed = `
  set search_path to "${schema}";
  alter table emails set (autovacuum_enabled = false);
  alter table email_queue set (autovacuum_enabled = false);
  insert into workspaces (name, name_key, is_trusted, created_at, updated_at) values ('w', 'w', true, 1, 1);
  insert into emails (uuid, workspace_id, from_text, subject, to_addresses, tags, metadata, route, lane, is_sensitive, created_at)
    select 'email' || i, 1, '', '', '[]', '[]', '{}', 'w:1', 1, false, i from generate_series(1, 2000) as i;
  insert into email_queue (email_id, route, lane, due_at, queued_at, bytes)
    select i, 'w:1', 1, ${now}, ${now}, 90 from generate_series(1, 2000) as i;
  analyze emails, email_queue;
  update emails set scheduled_at = ${now + 3_600_000} where id % 10 = 0;
  update email_queue set queued_at = ${now + 3_599_999}, due_at = ${now + 3_600_000} where email_id % 2 = 0`;

const opened = useRecordingStorage(seed);

test("times of a clock that was ahead are set right without reading all scheduled e-mails for each", async () => {
  const recorded = await opened.record(async () => {
    expect(await opened.storage.emailQueue.restoreDue(now)).toBe(800);
  });
  const plan = await opened.planOf(recorded.find(({ text }) => /^update \S+"email_queue"/.test(text)));
  expect(plan).toContain("emails_pkey");
  expect(plan).not.toContain("emails_scheduled");
});
