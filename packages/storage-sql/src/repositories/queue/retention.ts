import type { Retention, TimedTable } from "@posthorn/core/storage";
import { type RawBuilder, sql } from "kysely";
import { mayBeLong, readLong } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { endedBefore } from "../mail/campaigns/forget.ts";
import { countOld } from "../mail/emails/remove-old.ts";
import { planIdOf } from "../workspaces/plan-id-of.ts";

/** The condition for an expired row; its repository deletes by the same. */
const clocks: Record<TimedTable, string> = {
  sessions: "expires_at",
  email_tokens: "expires_at",
  guards: "ends_at",
  idempotency_keys: "created_at",
  mail_metrics: "hour",
  usage: "window_start",
  webhook_deliveries: "settled_at",
  suppressions: "expires_at",
  workers: "seen_at",
  inbound_reports: "created_at",
  bounce_days: "first_at",
  smtp_sent: "last_at",
  batches: "created_at",
  events: "created_at",
  attachment_handles: "expires_at",
};

/** Further conditions: totals since the beginning belong to no hour, and a batch with e-mails is deleted with these. */
const others: Partial<Record<TimedTable, [RawBuilder<unknown>]>> = {
  mail_metrics: [sql`hour > 0`],
  batches: [sql`accepted = 0`],
};

/** The retention rules, and how much they would delete. */
export const createRetentionRepository = (db: Handle, engine: Engine): Retention => {
  const countRows = async (table: TimedTable | "loose_contents", condition = sql`true`): Promise<number> => {
    const [row] = await readLong(
      db,
      sql<{ total: number }>`select count(*) as total from ${engine.table(table)} where ${condition}`,
    );
    return Number(row?.total ?? 0);
  };
  return {
    async listClocks(after, limit) {
      const rows = await db
        .selectFrom("workspaces as w")
        .innerJoin("settings as s", "s.workspace_id", "w.id")
        .leftJoin("plans as p", (join) => join.on((eb) => eb("p.id", "=", planIdOf(eb.ref("w.plan_id")))))
        .select(["w.id", "s.content_retention_days", "p.email_log_retention_days"])
        .where("w.id", ">", after)
        .orderBy("w.id")
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        workspaceId: row.id,
        logDays: row.email_log_retention_days ?? 0,
        contentDays: row.content_retention_days,
      }));
    },
    countTimed: (table, before) =>
      countRows(
        table,
        sql.join([sql`${sql.ref(clocks[table])} < ${before}`, ...(others[table] ?? [])], sql` and `),
      ),
    countEmails: (workspaceId, before) => countOld(db, { workspaceId, before, full: false }),
    countContents: (workspaceId, before) => countOld(db, { workspaceId, before, full: true }),
    async countCampaignRecipients(workspaceId, before, withValues) {
      let query = endedBefore(db, { workspaceId, before })
        .innerJoin("campaign_recipients as r", "r.campaign_id", "c.id")
        .select(sql<number>`count(*)`.as("total"));
      if (withValues) query = query.where("c.forgotten_at", "is", null).where("r.template_data", "<>", "{}");
      return Number((await query.withPlugin(mayBeLong).executeTakeFirst())?.total ?? 0);
    },
    async countLoose() {
      const due = (table: "blobs" | "attachment_sets") =>
        db
          .selectFrom(table)
          .select(sql<number>`count(*)`.as("total"))
          .where("check_at", "is not", null)
          .withPlugin(mayBeLong)
          .executeTakeFirst();
      const [contents, blobs, sets] = [
        await countRows("loose_contents"),
        await due("blobs"),
        await due("attachment_sets"),
      ];
      return contents + Number(blobs?.total ?? 0) + Number(sets?.total ?? 0);
    },
  };
};
