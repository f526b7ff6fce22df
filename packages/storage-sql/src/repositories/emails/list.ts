import type { Email, EmailFilter, EmailStatus, Listing, Slice } from "@posthorn/core/storage";
import { type Expression, type SqlBool, sql } from "kysely";
import { addressKey } from "../../address-key.ts";
import type { Handle } from "../../engine.ts";
import { toEmail } from "./rows.ts";

/** A settled e-mail's status is stored; a waiting one's follows from its lease and its time. */
export function statusAt(
  row: { status: string; scheduled_at: number | null; lease_until: number | null },
  now: number,
): EmailStatus {
  if (row.status !== "queued") return row.status as EmailStatus;
  if (row.lease_until !== null && row.lease_until > now) return "sending";
  return row.scheduled_at !== null && row.scheduled_at > now ? "scheduled" : "queued";
}

const joined = (db: Handle) =>
  db.selectFrom("emails as e").leftJoin("email_queue as q", "q.email_id", "e.id");

/** E-mails that fit the filter, newest first. */
export async function listEmails(
  db: Handle,
  filter: EmailFilter,
  { offset, limit }: Slice,
  now: number,
): Promise<Listing<Email>> {
  const rows = await filtered(db, filter, now)
    .selectAll("e")
    .select("q.lease_until")
    .orderBy("e.id", "desc")
    .offset(offset)
    .limit(limit)
    .execute();
  return { items: rows.map((row) => toEmail(row, statusAt(row, now))), total: await count(db, filter, now) };
}

function filtered(db: Handle, filter: EmailFilter, now: number) {
  const { workspaceId, status, to, template, from, until } = filter;
  let query = joined(db);
  query =
    workspaceId === undefined
      ? query.where("e.workspace_id", "is not", null)
      : query.where("e.workspace_id", "=", workspaceId);
  if (status !== undefined) query = whereStatus(query, status, now);
  if (template !== undefined) query = query.where("e.template", "=", template);
  if (from !== undefined) query = query.where("e.created_at", ">=", from);
  if (until !== undefined) query = query.where("e.created_at", "<", until);
  if (to !== undefined)
    query = query.where((eb) => {
      let recipients = eb
        .selectFrom("email_recipients")
        .select("email_id")
        .where("address_key", "=", addressKey(to))
        .where("kind", "=", "to");
      if (workspaceId !== undefined) recipients = recipients.where("workspace_id", "=", workspaceId);
      return eb("e.id", "in", recipients);
    });
  return query;
}

function whereStatus(all: ReturnType<typeof joined>, status: EmailStatus, now: number) {
  // Written out, so that the planner sees that the index of all but the sent will do.
  const query = status === "sent" ? all : all.where("e.status", "<>", sql.lit("sent"));
  if (status !== "queued" && status !== "scheduled" && status !== "sending")
    return query.where("e.status", "=", status);
  return query.where("e.status", "=", "queued").where((eb): Expression<SqlBool> => {
    const unleased = eb.or([eb("q.lease_until", "is", null), eb("q.lease_until", "<=", now)]);
    if (status === "sending") return eb("q.lease_until", ">", now);
    if (status === "scheduled") return eb.and([unleased, eb("e.scheduled_at", ">", now)]);
    return eb.and([unleased, eb.or([eb("e.scheduled_at", "is", null), eb("e.scheduled_at", "<=", now)])]);
  });
}

/** Without a filter the counted totals answer: counting the rows of a long log would take longer than showing it. */
async function count(db: Handle, filter: EmailFilter, now: number): Promise<number> {
  const { workspaceId, ...narrower } = filter;
  if (Object.values(narrower).some((value) => value !== undefined)) {
    const row = await filtered(db, filter, now)
      .select((eb) => eb.fn.countAll().as("total"))
      .executeTakeFirst();
    return Number(row?.total ?? 0);
  }
  let query = db.selectFrom("email_counts").select((eb) => eb.fn.sum("total").as("total"));
  if (workspaceId !== undefined) query = query.where("workspace_id", "=", workspaceId);
  return Number((await query.executeTakeFirst())?.total ?? 0);
}
