import { expect, test } from "vitest";
import { planningSchema, useRecordingStorage } from "../../test/open-recording-storage.ts";

const schema = planningSchema;
/** A list that the statistics know, and one that is newer: PostgreSQL plans for a single recipient of it. */
const seed = `
  set search_path to "${schema}";
  alter table campaign_recipients set (autovacuum_enabled = false);
  insert into workspaces (name, name_key, is_trusted, created_at, updated_at) values ('w', 'w', true, 1, 1);
  insert into campaigns (workspace_id, name, name_key, status, plan, recipients, created_at, updated_at)
    select 1, 'c' || i, 'c' || i, 'cancelled', '{}', 1000, 1, 1 from generate_series(1, 2) as i;
  insert into campaign_recipients (campaign_id, position, name, address, address_key, template_data, state)
    select 1, i, '', 'a' || i, 'a' || i, '{}', 'pending' from generate_series(1, 1000) as i;
  analyze campaign_recipients;
  insert into campaign_recipients (campaign_id, position, name, address, address_key, template_data, state)
    select 2, i, '', 'a' || i, 'a' || i, '{}', 'pending' from generate_series(1, 1000) as i`;

const opened = useRecordingStorage(seed);

test.for(["cancelPending", "removeRecipients", "forgetContents"] as const)(
  "%s finds its piece once in a list that the statistics don't know",
  async (verb) => {
    const { campaigns } = opened.storage;
    const old = { workspaceId: 1, before: 2, limit: 10 };
    const recorded = await opened.record(async () => {
      // The known list first, until nothing of it is left.
      if (verb === "forgetContents") while ((await campaigns.forgetContents({ ...old, limit: 1_000 })) > 1);
      const pieces = {
        forgetContents: () => campaigns.forgetContents(old),
        cancelPending: () => campaigns.cancelPending(2, 10),
        removeRecipients: async () => (await campaigns.removeRecipients(2, 10, 0)).removed,
      };
      expect(await pieces[verb]()).toBe(10);
    });
    const changes = recorded.filter(({ text }) =>
      /^(update|delete from) \S+"campaign_recipients"/.test(text),
    );
    const plan = await opened.planOf(changes.at(-1));
    expect(plan).toContain("InitPlan");
    expect(plan).not.toContain("Nested Loop");
  },
);
