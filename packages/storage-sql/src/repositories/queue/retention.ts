import type { Retention, TimedTable } from "@posthorn/core/storage";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { forOperator } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { countOf } from "../../list-range.ts";
import { countOldEvents } from "../events/remove-old.ts";
import { countOldRecipients } from "../mail/campaigns/count-old.ts";
import { countOldEmails } from "../mail/emails/count-old.ts";
import { dayOf } from "../mail/reports.ts";
import { isNotLast } from "../mail/smtp-servers/sent.ts";
import { planIdOf } from "../workspaces/plan-id-of.ts";
import { hasNothing } from "./email-queue/park.ts";

/** The column of the time from which a row is kept; its repository deletes by the same. */
const clocks: Record<Exclude<TimedTable, "bounce_days" | "events">, string> = {
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
  smtp_sent: "hour_start",
  batches: "created_at",
  attachment_handles: "expires_at",
  parked_routes: "parked_until",
};

/**
 * Further conditions: totals since the beginning belong to no hour, a batch with e-mails is deleted with these, of each mail
 * server's counts the last stays, and so does a hold whose route has e-mails.
 */
const others: Partial<Record<TimedTable, (engine: Engine) => RawBuilder<SqlBool>>> = {
  mail_metrics: () => sql`hour > 0`,
  batches: () => sql`accepted = 0`,
  smtp_sent: isNotLast,
  parked_routes: hasNothing,
};

/** The condition that a row `s` is expired. */
function isExpired(
  engine: Engine,
  table: Exclude<TimedTable, "events">,
  before: number,
): RawBuilder<SqlBool> {
  if (table === "bounce_days") return sql`s.day < ${dayOf(before)}`;
  const isOld = sql<SqlBool>`${sql.ref(`s.${clocks[table]}`)} < ${before}`;
  const other = others[table]?.(engine);
  return other === undefined ? isOld : sql`${isOld} and ${other}`;
}

/** The retention rules, and how much they would delete. */
export const createRetentionRepository = (db: Handle, engine: Engine): Retention => ({
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
    table === "events"
      ? countOldEvents(db, engine, before)
      : countOf(
          db.selectFrom(sql<object>`${engine.table(table)}`.as("s")).where(isExpired(engine, table, before)),
          forOperator,
        ),
  countOld: async (ends) => ({
    ...(await countOldEmails(db, engine, ends)),
    ...(await countOldRecipients(db, engine, ends)),
  }),
  async countLoose() {
    const due = (table: "blobs" | "attachment_sets") =>
      countOf(db.selectFrom(table).where("check_at", "is not", null), forOperator);
    return (
      (await countOf(db.selectFrom("loose_contents"), forOperator)) +
      (await countOf(db.selectFrom("loose_files"), forOperator)) +
      (await due("blobs")) +
      (await due("attachment_sets"))
    );
  },
});
