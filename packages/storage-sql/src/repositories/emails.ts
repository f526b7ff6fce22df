import type { Emails, QueueStatus } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../atomically.ts";
import type { Engine, Handle } from "../engine.ts";
import { prepared } from "../prepared.ts";
import { claimDueEmails } from "./emails/claim.ts";
import { cancelEmail, deleteEmailsBefore, retryEmail } from "./emails/control.ts";
import { insertEmails } from "./emails/insert.ts";
import { releaseLeases, renewLeases } from "./emails/leases.ts";
import { listEmails, statusAt } from "./emails/list.ts";
import { toAttempt, toEmail, toRecipient } from "./emails/rows.ts";
import { settleEmails } from "./emails/settle.ts";

const findByUuid = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom("emails as e")
    .leftJoin("email_queue as q", "q.email_id", "e.id")
    .selectAll("e")
    .select("q.lease_until")
    .where("e.uuid", "=", id),
);

const findRecipients = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom("email_recipients as r")
    .innerJoin("emails as e", "e.id", "r.email_id")
    .selectAll("r")
    .where("e.uuid", "=", id)
    .orderBy("r.position"),
);

const findAttempts = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom("email_attempts as a")
    .innerJoin("emails as e", "e.id", "a.email_id")
    .selectAll("a")
    .where("e.uuid", "=", id)
    .orderBy("a.number"),
);

const findNextDue = prepared((db) =>
  db.selectFrom("email_queue").select("due_at").orderBy("due_at").limit(1),
);

const findQueueStatus = prepared((db, { now }: { now: number }) =>
  db
    .selectFrom("email_queue")
    .select([
      sql<number | null>`sum(case when due_at <= ${now} then 1 else 0 end)`.as("due"),
      sql<number | null>`sum(case when due_at > ${now} and lease_until is null then 1 else 0 end)`.as(
        "waiting",
      ),
      sql<number | null>`sum(case when due_at > ${now} and lease_until is not null then 1 else 0 end)`.as(
        "leased",
      ),
      sql<number | null>`min(case when due_at <= ${now} then due_at end)`.as("oldest_due_at"),
    ]),
);

/** E-mails: the log, and the queue beside it. */
export function createEmailsRepository(db: Handle, engine: Engine): Emails {
  return {
    async insert(emails) {
      if (emails.length > 0) await atomically(db, (tx) => insertEmails(tx, engine, emails));
    },
    async find(workspaceId, id, now = Date.now()) {
      const [row] = await findByUuid(db, engine, { id });
      if (row === undefined) return undefined;
      if (workspaceId !== undefined && row.workspace_id !== workspaceId) return undefined;
      return toEmail(row, statusAt(row, now));
    },
    recipients: async (id) => (await findRecipients(db, engine, { id })).map(toRecipient),
    attempts: async (id) => (await findAttempts(db, engine, { id })).map(toAttempt),
    list: (filter, slice, now) => listEmails(db, filter, slice, now),
    claimDue: (claim) => claimDueEmails(db, engine, claim),
    renewLeases: (leases, until) => renewLeases(db, engine, leases, until),
    release: (leases) => releaseLeases(db, engine, leases),
    settle: async (results) => (results.length === 0 ? [] : settleEmails(db, engine, results)),
    cancel: (workspaceId, id, now) => cancelEmail(db, engine, workspaceId, id, now),
    retry: (workspaceId, id, now) => retryEmail(db, workspaceId, id, now),
    async nextDueAt() {
      const [row] = await findNextDue(db, engine, {});
      return row?.due_at;
    },
    queueStatus: (now) => queueStatus(db, engine, now),
    deleteBefore: (workspaceId, before, limit) => deleteEmailsBefore(db, engine, workspaceId, before, limit),
  };
}

async function queueStatus(db: Handle, engine: Engine, now: number): Promise<QueueStatus> {
  const [row] = await findQueueStatus(db, engine, { now });
  return {
    due: Number(row?.due ?? 0),
    waiting: Number(row?.waiting ?? 0),
    leased: Number(row?.leased ?? 0),
    oldestDueAt: row?.oldest_due_at ?? undefined,
  };
}
