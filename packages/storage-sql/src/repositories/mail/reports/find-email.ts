import type { ReportedEmail } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { parsePayload, toRecipient } from "../emails/rows.ts";
import { viewRow, withStatus } from "../emails/with-status.ts";

/** What is read after it is as the last erasure left it, and none runs until what the report says is stored. */
const lockByRow = prepared((db, { row }: { row: number }, engine) =>
  engine.forShare(db.selectFrom("emails").select("id").where("id", "=", row)),
);

const lockByUuid = prepared((db, { id }: { id: string }, engine) =>
  engine.forShare(db.selectFrom("emails").select("id").where("uuid", "=", id)),
);

const findByRow = prepared((db, { row }: { row: number }) =>
  withStatus(db).selectAll("e").select(["o.status", "o.settled_at", "i.claim_id"]).where("e.id", "=", row),
);

const findRecipients = prepared((db, { row }: { row: number }) =>
  db.selectFrom("email_recipients").selectAll().where("email_id", "=", row).orderBy("position"),
);

const findLatestTo = prepared((db, values: { workspaceId: number; address: string }) =>
  db
    .selectFrom("email_recipients as r")
    .leftJoin("claim_items as i", "i.email_id", "r.email_id")
    .select(["r.email_id", "r.last_reply", "i.claim_id"])
    .where("r.workspace_id", "=", values.workspaceId)
    .where("r.address_key", "=", values.address)
    .orderBy("r.email_id", "desc")
    .limit(50),
);

/** An e-mail with its recipients, by row id or public id. */
export async function findReportedEmail(
  db: Handle,
  engine: Engine,
  by: { row: number } | { id: string },
): Promise<ReportedEmail | undefined> {
  const [locked] = "row" in by ? await lockByRow(db, engine, by) : await lockByUuid(db, engine, by);
  if (locked === undefined) return undefined;
  const [found] = await findByRow(db, engine, { row: locked.id });
  if (found === undefined) return undefined;
  const recipients = await findRecipients(db, engine, { row: found.id });
  const { status: _, sentAt: __, ...email } = viewRow(found, 0);
  return { row: found.id, email, recipients: recipients.map(toRecipient) };
}

/** The list of an e-mail with an unsubscribe link. */
export async function findList(db: Handle, row: number): Promise<string | undefined> {
  const found = await db
    .selectFrom("email_payloads")
    .select("payload")
    .where("email_id", "=", row)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  return parsePayload(found.payload)?.unsubscribe?.list;
}

/**
 * Servers give their id in the reply to the message: it is searched among the latest e-mails to the address, by index.
 */
export async function findByRemoteId(
  db: Handle,
  engine: Engine,
  { remoteId, ...to }: { workspaceId: number; address: string; remoteId: string },
): Promise<ReportedEmail | undefined> {
  // A few characters would match anything.
  if (remoteId.length < 8) return undefined;
  const latest = await findLatestTo(db, engine, to);
  const fit = latest.find(({ last_reply }) => last_reply.includes(remoteId));
  return fit === undefined ? undefined : findReportedEmail(db, engine, { row: fit.email_id });
}

/** Whether one of the latest e-mails to the address is claimed. */
export async function isSendingTo(
  db: Handle,
  engine: Engine,
  to: { workspaceId: number; address: string },
): Promise<boolean> {
  const latest = await findLatestTo(db, engine, to);
  return latest.some(({ claim_id }) => claim_id !== null);
}
