import type { ClaimedEmail, EmailQueue, EmailRecipient, Lane } from "@posthorn/core/storage";
import { atomically } from "../../../atomically.ts";
import { bulkInsert } from "../../../bulk-insert.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { toEmail, toRecipient } from "../../mail/emails/rows.ts";

type ClaimOrder = Parameters<EmailQueue["claim"]>[0];

const insertItems = bulkInsert("claim_items");

const leaveQueue = prepared((db, { ids }: { ids: number[] }, engine) =>
  db.deleteFrom("email_queue").where((eb) => engine.anyOf(eb.ref("email_id"), ids, "bigint")),
);

const addClaim = prepared((db, values: { worker: string; now: number; until: number; items: number }) =>
  db
    .insertInto("claims")
    .values({
      worker: values.worker,
      claimed_at: values.now,
      renewed_at: values.now,
      until: values.until,
      items: values.items,
    })
    .returning("id"),
);

const findEmails = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .selectFrom("emails as e")
    .leftJoin("contents as c", "c.id", "e.content_id")
    .leftJoin("stylesheet_sets as s", "s.id", "e.stylesheet_set_id")
    .selectAll("e")
    .select(["c.hash as content_hash", "s.hash as set_hash"])
    .where((eb) => engine.anyOf(eb.ref("e.id"), ids, "bigint")),
);

const findRecipients = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .selectFrom("email_recipients")
    .selectAll()
    .where((eb) => engine.anyOf(eb.ref("email_id"), ids, "bigint"))
    .orderBy("email_id")
    .orderBy("position"),
);

/**
 * Moves due e-mails from the queue into a claim. An e-mail with a damaged row is marked, so that the worker fails it
 * (reliability.md, F23).
 */
export const claimEmails = (db: Handle, engine: Engine, order: ClaimOrder): Promise<ClaimedEmail[]> =>
  atomically(db, async (tx) => {
    const { wants, now, maxBytes, worker } = order;
    const due = withinBytes(await engine.takeDue(tx, wants, now), maxBytes);
    if (due.length === 0) return [];
    const ids = due.map(({ email_id }) => email_id);
    await leaveQueue(tx, engine, { ids });
    const emails = new Map((await findEmails(tx, engine, { ids })).map((row) => [row.id, row]));
    // Deleting a workspace may leave queue rows without an e-mail, as may a damaged database: those are gone from the
    // queue now.
    const there = due.filter(({ email_id }) => emails.has(email_id));
    if (there.length === 0) return [];
    const [claim] = await addClaim(tx, engine, {
      worker,
      now,
      until: now + order.leaseMs,
      items: there.length,
    });
    if (claim === undefined) throw new Error("a claim has no row");
    await insertItems(
      tx,
      engine,
      there.map((row) => ({ ...row, claim_id: claim.id })),
    );
    const recipients = groupRecipients(await findRecipients(tx, engine, { ids }));
    return there.flatMap((row) => {
      const email = emails.get(row.email_id);
      if (email === undefined) return [];
      const its = recipients.get(row.email_id) ?? [];
      return {
        lease: { claimId: claim.id, row: row.email_id },
        email: toEmail(email, { status: "sending", settledAt: undefined }),
        recipients: its,
        route: row.route,
        lane: row.lane as Lane,
        dueAt: row.due_at,
        attempt: row.attempts + 1,
        bytes: row.bytes,
        contentHash: email.content_hash ?? "",
        stylesheetSetHash: email.set_hash ?? undefined,
        damaged: its.length === 0 || !its.every(isSound),
      };
    });
  });

/** Returns as many e-mails as fit, but always the first, whatever its size. */
function withinBytes<T extends { bytes: number }>(rows: T[], most: number): T[] {
  let total = 0;
  return rows.filter(({ bytes }, index) => {
    total += bytes;
    return index === 0 || total <= most;
  });
}

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
