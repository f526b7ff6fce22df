import type { ClaimedEmail, EmailRecipient, Emails } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { insertAttempts, interruptedAttempt } from "./attempts.ts";
import { parsePayload, toEmail, toRecipient } from "./rows.ts";

type Claim = Parameters<Emails["claimDue"]>[0];

const findDue = prepared((db, values: { now: number; limit: number; exclude: string[] }, engine) =>
  engine.skipLocked(
    db
      .selectFrom("email_queue")
      .select(["email_id", "fence", "attempts", "worker", "claimed_at"])
      .where("due_at", "<=", values.now)
      .where((eb) =>
        eb(
          "email_id",
          "not in",
          eb
            .selectFrom("emails")
            .select("id")
            .where((inner) => engine.anyOf(inner.ref("uuid"), values.exclude)),
        ),
      )
      .orderBy("due_at")
      .orderBy("email_id")
      .limit(values.limit),
  ),
);

const lease = prepared((db, values: { ids: number[]; now: number; until: number; worker: string }, engine) =>
  db
    .updateTable("email_queue")
    .set({
      fence: sql<number>`fence + 1`,
      attempts: sql<number>`attempts + 1`,
      due_at: values.until,
      lease_until: values.until,
      worker: values.worker,
      claimed_at: values.now,
    })
    .where((eb) => engine.anyOf(eb.ref("email_id"), values.ids)),
);

const findEmails = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .selectFrom("emails")
    .selectAll()
    .where((eb) => engine.anyOf(eb.ref("id"), ids)),
);

const findRecipients = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .selectFrom("email_recipients")
    .selectAll()
    .where((eb) => engine.anyOf(eb.ref("email_id"), ids))
    .orderBy("email_id")
    .orderBy("position"),
);

/** Queue rows without an e-mail, which only a damaged database has. */
const leaveQueue = prepared((db, { ids }: { ids: number[] }, engine) =>
  db.deleteFrom("email_queue").where((eb) => engine.anyOf(eb.ref("email_id"), ids)),
);

/**
 * Leases due e-mails to this worker. A lease that lapsed unsettled leaves an interrupted attempt behind; an e-mail whose row is
 * damaged is marked, for the worker to fail it (reliability.md, F23).
 */
export const claimDueEmails = (db: Handle, engine: Engine, claim: Claim): Promise<ClaimedEmail[]> =>
  atomically(db, async (tx) => {
    const { now, limit, exclude, worker } = claim;
    const due = await findDue(tx, engine, { now, limit, exclude });
    if (due.length === 0) return [];
    const ids = due.map(({ email_id }) => email_id);
    await lease(tx, engine, { ids, now, until: now + claim.leaseMs, worker });
    const interrupted = due.filter((row) => row.worker !== null);
    await insertAttempts(
      tx,
      engine,
      interrupted.map((row) => ({ emailId: row.email_id, attempt: interruptedAttempt(row) })),
    );
    const emails = new Map((await findEmails(tx, engine, { ids })).map((row) => [row.id, row]));
    const recipients = groupRecipients(await findRecipients(tx, engine, { ids }));
    const claimed: ClaimedEmail[] = [];
    const orphans: number[] = [];
    for (const row of due) {
      const email = emails.get(row.email_id);
      if (email === undefined) {
        orphans.push(row.email_id);
        continue;
      }
      const payload = parsePayload(email.payload);
      const its = recipients.get(row.email_id) ?? [];
      claimed.push({
        email: toEmail(email, "sending", payload),
        recipients: its,
        fence: row.fence + 1,
        attempt: row.attempts + 1,
        damaged: payload === undefined || its.length === 0 || !its.every(isSound),
      });
    }
    if (orphans.length > 0) await leaveQueue(tx, engine, { ids: orphans });
    return claimed;
  });

const kinds: readonly string[] = ["to", "cc", "bcc"] satisfies EmailRecipient["kind"][];
const states: readonly string[] = [
  "pending",
  "deferred",
  "accepted",
  "failed",
  "suppressed",
  "cancelled",
] satisfies EmailRecipient["state"][];

const isSound = ({ kind, state, address }: EmailRecipient): boolean =>
  kinds.includes(kind) && states.includes(state) && address !== "";

function groupRecipients(rows: Awaited<ReturnType<typeof findRecipients>>): Map<number, EmailRecipient[]> {
  const groups = new Map<number, EmailRecipient[]>();
  for (const row of rows) {
    const group = groups.get(row.email_id);
    if (group) group.push(toRecipient(row));
    else groups.set(row.email_id, [toRecipient(row)]);
  }
  return groups;
}
