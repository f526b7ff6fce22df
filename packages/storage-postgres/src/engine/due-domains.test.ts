import { expect, test } from "vitest";
import { planningSchema, useRecordingStorage } from "../../test/open-recording-storage.ts";

const now = 1_800_000_000_000;
const schema = planningSchema;
/** Domains that are due later, as the statistics know them. */
const seed = `
  set search_path to "${schema}";
  alter table domains set (autovacuum_enabled = false);
  insert into workspaces (name, name_key, is_trusted, created_at, updated_at) values ('w', 'w', true, 1, 1);
  insert into domains (uuid, workspace_id, name, organisation, token, status, status_since, status_reason, include_subdomains,
      return_path, return_path_domain, return_path_verified, tracking, tracking_domain, tracking_verified, tls, records,
      next_check_at, created_at, updated_at)
    select 'domain' || i, 1, 'd' || i || '.example', '', '', 'verified', 1, '', false,
      'b', 'b.d' || i || '.example', true, 't', 't.d' || i || '.example', true, 'opportunistic', '{"records":[]}',
      ${now} + i, 1, 1
    from generate_series(1, 2000) as i;
  analyze domains`;

const opened = useRecordingStorage(seed);

test("some of many domains that became due at once, as when the service's hosts change, are found once", async () => {
  const { domains } = opened.storage;
  await domains.checkPlanned(now, now);
  const recorded = await opened.record(async () => {
    expect(await domains.takeDue(now, now + 60_000, 8)).toHaveLength(8);
  });
  const statement = recorded.find(({ text }) => /^update \S+"domains"/.test(text));
  expect(await opened.planOf(statement)).not.toContain("Nested Loop");
});
