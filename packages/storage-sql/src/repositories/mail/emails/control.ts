import type { Email, EmailPayload } from "@posthorn/core/storage";
import { type ExpressionBuilder, sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import type { Database } from "../../../tables.ts";
import { cancelRows } from "./cancel.ts";
import { countEmails } from "./count.ts";
import { parsePayload, toEmail } from "./rows.ts";

/** Cancels an e-mail, if no worker has it and none may have sent it. */
export const cancelEmail = (
  db: Handle,
  engine: Engine,
  { workspaceId, id, now }: { workspaceId: number | "all"; id: string; now: number },
): Promise<"cancelled" | "not_waiting" | "in_doubt"> =>
  atomically(db, async (tx) => {
    const email = await findEmail(tx, workspaceId, id);
    if (email === undefined) return "not_waiting";
    const { ended, inDoubt } = await cancelRows(tx, engine, [email.id], { now });
    if (inDoubt.size > 0) return "in_doubt";
    return ended.length > 0 ? "cancelled" : "not_waiting";
  });

/** Cancels those of the e-mails that no worker has, and returns them. */
export const cancelAll = (
  db: Handle,
  engine: Engine,
  ids: readonly string[],
  now: number,
): Promise<Email[]> =>
  atomically(db, async (tx) => {
    const found = await tx
      .selectFrom("emails")
      .select("id")
      .where((eb) => engine.anyOf(eb.ref("uuid"), ids))
      .execute();
    const rows = found.map((row) => row.id);
    const { ended } = await cancelRows(tx, engine, rows, { now, evenInDoubt: true });
    return ended.map(({ row, status }) => toEmail(row, { status, settledAt: now }));
  });

const moveInQueue = prepared((db, values: { emailId: number; dueAt: number; now: number }) =>
  db
    .updateTable("email_queue")
    .set({ due_at: values.dueAt, queued_at: values.now })
    .where("email_id", "=", values.emailId)
    .returning("attempts"),
);

/** Changes when an e-mail is due, if no worker has it; returns whether this call did. */
export const rescheduleEmail = (
  db: Handle,
  engine: Engine,
  {
    workspaceId,
    id,
    scheduledAt,
    now,
  }: { workspaceId: number | "all"; id: string; scheduledAt: number; now: number },
): Promise<boolean> =>
  atomically(db, async (tx) => {
    const email = await findEmail(tx, workspaceId, id);
    if (email === undefined) return false;
    const [row] = await moveInQueue(tx, engine, { emailId: email.id, dueAt: scheduledAt, now });
    if (row === undefined) return false;
    await tx.updateTable("emails").set({ scheduled_at: scheduledAt }).where("id", "=", email.id).execute();
    // With its row locked: an erasure that is under way changes the payload, too.
    if (row.attempts > 0) await keepDate(tx, email);
    return true;
  });

/**
 * Keeps the Date that an e-mail was tried with: some recipients may have it, and a second copy has to be the same. It is
 * in the payload, which delivery reads anyway.
 */
async function keepDate(tx: Handle, email: Awaited<ReturnType<typeof findEmail>> & object): Promise<void> {
  const row = await tx
    .selectFrom("email_payloads")
    .select("payload")
    .where("email_id", "=", email.id)
    .executeTakeFirst();
  const payload = row && parsePayload(row.payload);
  if (payload === undefined || payload.date !== undefined) return;
  const dated = { ...payload, date: email.scheduled_at ?? email.created_at } satisfies EmailPayload;
  await tx
    .updateTable("email_payloads")
    .set({ payload: JSON.stringify(dated) })
    .where("email_id", "=", email.id)
    .execute();
}

/** Recipients who may still get the e-mail: not those who were cancelled or erased. */
const missedIt = (is: ExpressionBuilder<Database, "email_recipients">) =>
  is.and([
    is("state", "in", ["pending", "deferred", "failed"]),
    is("address_key", "not like", "erased-%@invalid"),
  ]);

/** Outcomes after which an e-mail can be tried again. */
const retried = ["failed", "partially_sent"] as const;

/** The same as at acceptance. */
const ownBytes = sql<number>`octet_length(p.payload) + octet_length(e.subject) + octet_length(e.metadata)
  + coalesce(octet_length(c.html) + octet_length(c.text), 0)`;

/**
 * Puts a failed e-mail's unsettled and failed recipients back into the queue; returns the number of their bounces, or
 * `undefined` if it is neither failed nor partially sent, or nobody is left to get it.
 */
export const retryEmail = (
  db: Handle,
  engine: Engine,
  { workspaceId, id, now }: { workspaceId: number | "all"; id: string; now: number },
): Promise<{ bounces: number } | undefined> =>
  atomically(db, async (tx) => {
    const email = await findEmail(tx, workspaceId, id);
    if (email === undefined) return undefined;
    // Locked before anything is read: neither retention nor an erasure changes the e-mail meanwhile.
    const outcome = await engine
      .forUpdate(tx.selectFrom("email_outcomes").select("status").where("email_id", "=", email.id))
      .executeTakeFirst();
    const status = retried.find((one) => one === outcome?.status);
    if (status === undefined) return undefined;
    const bytes = await bytesOf(tx, email.id);
    const missed = await tx
      .selectFrom("email_recipients")
      .select("position")
      .where("email_id", "=", email.id)
      .where(missedIt)
      .limit(1)
      .executeTakeFirst();
    if (bytes === undefined || missed === undefined) return undefined;
    await tx.deleteFrom("email_outcomes").where("email_id", "=", email.id).execute();
    const bounces = await forgetBounces(tx, email.id);
    await tx
      .updateTable("email_recipients")
      .set({ state: "pending", settled_at: null, missing_since: null })
      .where("email_id", "=", email.id)
      .where(missedIt)
      .execute();
    const last = await tx
      .selectFrom("email_attempts")
      .select("number")
      .where("email_id", "=", email.id)
      .orderBy("number", "desc")
      .limit(1)
      .executeTakeFirst();
    await tx
      .insertInto("email_queue")
      .values({
        email_id: email.id,
        route: email.route,
        lane: email.lane,
        due_at: now,
        queued_at: now,
        attempts: last?.number ?? 0,
        bytes,
      })
      .execute();
    await countEmails(tx, engine, [{ workspaceId: email.workspace_id, status, change: -1 }]);
    return { bounces };
  });

/** Returns the bytes that a worker reads of an e-mail; `undefined` if its data was removed. */
async function bytesOf(tx: Handle, emailId: number): Promise<number | undefined> {
  const found = await tx
    .selectFrom("email_payloads as p")
    .innerJoin("emails as e", "e.id", "p.email_id")
    .leftJoin("contents as c", (join) =>
      join.onRef("c.id", "=", "e.content_id").on("e.template_version_id", "is", null),
    )
    .select((eb) => [
      ownBytes.as("own"),
      eb
        .selectFrom("email_recipients as r")
        .select(sql<number>`sum(octet_length(r.name) + octet_length(r.address))`.as("bytes"))
        .whereRef("r.email_id", "=", "e.id")
        .as("recipients"),
    ])
    .where("p.email_id", "=", emailId)
    .executeTakeFirst();
  return found && Number(found.own) + Number(found.recipients ?? 0);
}

/** A retried recipient may bounce again, which must then be reported again. */
async function forgetBounces(tx: Handle, emailId: number): Promise<number> {
  const forgotten = await tx
    .deleteFrom("recipient_reports")
    .where("email_id", "=", emailId)
    .where("kind", "=", "bounce")
    .where("position", "in", (eb) =>
      eb.selectFrom("email_recipients").select("position").where("email_id", "=", emailId).where(missedIt),
    )
    .returning("position")
    .execute();
  return forgotten.length;
}

async function findEmail(db: Handle, workspaceId: number | "all", id: string) {
  let query = db
    .selectFrom("emails")
    .select(["id", "workspace_id", "route", "lane", "created_at", "scheduled_at"])
    .where("uuid", "=", id);
  if (workspaceId !== "all") query = query.where("workspace_id", "=", workspaceId);
  return query.executeTakeFirst();
}
