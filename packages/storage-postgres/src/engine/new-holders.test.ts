import { expect, test } from "vitest";
import { planningSchema, useRecordingStorage } from "../../test/open-recording-storage.ts";
import { runOnce, testPostgresUrl } from "../../test/open-test-storage.ts";

const schema = planningSchema;
/** Workspaces without a plan, as the statistics know them. */
const seed = `
  set search_path to "${schema}";
  alter table workspaces set (autovacuum_enabled = false);
  insert into workspaces (name, name_key, is_trusted, created_at, updated_at)
    select 'w' || i, 'w' || i, true, 1, 1 from generate_series(1, 2000) as i;
  analyze workspaces`;

const opened = useRecordingStorage(seed);

test("a piece of a plan's holders, whom the statistics don't know, is found once", async () => {
  const limits = { maxAttachmentSizeMb: 0, maxBatchSize: 0, maxApiKeys: 0, maxDomains: 0, maxSmtpServers: 0 };
  const { plans } = opened.storage;
  const { id } = await plans.insert({
    ...{ name: "Pro", description: "", isActive: true, dailyRateLimit: 0, hourlyRateLimit: 0, ...limits },
    ...{ maxWorkspaces: 0, emailLogRetentionDays: 0, createdAt: 1, updatedAt: 1 },
  });
  await runOnce(await testPostgresUrl(), `update "${schema}".workspaces set plan_id = ${id}`);
  const recorded = await opened.record(async () => {
    expect(await plans.unassignSome(id, 100)).toEqual({ workspaces: 100, users: 0 });
  });
  const statement = recorded.find(({ text }) => /^update \S+"workspaces"/.test(text));
  expect(await opened.planOf(statement)).not.toContain("Nested Loop");
  expect(await plans.countAssignments(id)).toEqual({ workspaces: 1_900, users: 0 });
});
