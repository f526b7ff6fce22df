import {
  addressKey,
  type EmailPayload,
  type EmailToPerson,
  type ErasedPerson,
  readStoredObject,
} from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import { labelsOf } from "../../email-labels.ts";
import type { Engine, Handle } from "../../engine.ts";
import { forgetContentsOf } from "../mail/emails/remove-old.ts";
import { parseTexts } from "../mail/emails/rows.ts";
import { several } from "../tracking/tracking.ts";
import { eraserOf, naming } from "./mentions.ts";

/** Replaces the subject of an e-mail that was sent only to the erased person. */
export const erasedSubject = "(erased)";

/** Replaces a person in e-mails, in all rows of each. */
export const eraseEmails = (
  db: Handle,
  engine: Engine,
  person: ErasedPerson,
  emails: readonly EmailToPerson[],
): Promise<void> =>
  atomically(db, async (tx) => {
    if (emails.length === 0) return;
    const erase = eraserOf(person);
    for (const email of emails) {
      const isThere = await eraseLine(tx, engine, { person, email }, erase);
      if (!isThere) continue;
      await eraseReplies(tx, person, email, erase);
      await eraseReports(tx, email, erase);
      await eraseHits(tx, email);
      if (!email.isAlone) await erasePayload(tx, person, email, erase);
    }
    const ids = (of: readonly EmailToPerson[]) => [...new Set(of.map(({ row }) => row))];
    const alone = ids(emails.filter(({ isAlone }) => isAlone));
    const shared = ids(emails.filter(({ isAlone }) => !isAlone));
    await forgetContentsOf(tx, engine, [...alone, ...(await namedByContent(tx, engine, person, shared))]);
  });

type Erase = (text: string) => string;

/**
 * Replaces the person in the log. If they were the only recipient, subject and metadata are also theirs. Returns `false`
 * if the e-mail was deleted meanwhile: nothing may be written about it any more.
 */
async function eraseLine(
  db: Handle,
  engine: Engine,
  { person, email: { row, isAlone } }: { person: ErasedPerson; email: EmailToPerson },
  erase: Erase,
): Promise<boolean> {
  const { addressKey: key, erasedAs } = person;
  const email = await engine
    .forUpdate(
      db
        .selectFrom("emails")
        .select(["workspace_id", "subject", "to_addresses", "tags", "metadata", "origin"])
        .where("id", "=", row),
    )
    .executeTakeFirst();
  if (email === undefined) return false;
  const to = parseTexts(email.to_addresses).map((one) => (addressKey(one) === key ? erasedAs : erase(one)));
  const written = parseTexts(email.tags);
  const tags = isAlone ? written.filter((tag) => erase(tag) === tag) : written.map(erase);
  const metadata = isAlone ? "{}" : erase(email.metadata);
  await db
    .updateTable("emails")
    .set({
      to_addresses: JSON.stringify(to),
      tags: JSON.stringify(tags),
      subject: isAlone ? erasedSubject : erase(email.subject),
      metadata,
      // The origin contains keys that callers chose.
      origin: email.origin === null ? null : eraserOf(person, { isKey: true })(email.origin),
    })
    .where("id", "=", row)
    .execute();
  await db.deleteFrom("email_labels").where("email_id", "=", row).execute();
  const { workspace_id } = email;
  const labels = labelsOf({ tags, metadata: readStoredObject(metadata) });
  if (workspace_id !== null && labels.length > 0)
    await db
      .insertInto("email_labels")
      .values(labels.map((label) => ({ email_id: row, label, workspace_id })))
      .execute();
  return true;
}

/** Replaces the recipient, and servers' replies, which contain the refused address. */
async function eraseReplies(
  db: Handle,
  { erasedAs }: ErasedPerson,
  { row, position, isAlone }: EmailToPerson,
  erase: Erase,
): Promise<void> {
  await db
    .updateTable("email_recipients")
    .set({ name: "", address: erasedAs, address_key: erasedAs, last_reply: "", remote_id: null })
    .where("email_id", "=", row)
    .where("position", "=", position)
    .execute();
  const others = await db
    .selectFrom("email_recipients")
    .select(["position", "last_reply", "remote_id"])
    .where("email_id", "=", row)
    .where("position", "<>", position)
    .execute();
  for (const { position: place, last_reply, remote_id } of others) {
    // A server's id of the message may be an address that its reply names.
    const isNamed = remote_id !== null && erase(remote_id) !== remote_id;
    if (erase(last_reply) === last_reply && !isNamed) continue;
    await db
      .updateTable("email_recipients")
      .set({ last_reply: erase(last_reply), ...(isNamed && { remote_id: null }) })
      .where("email_id", "=", row)
      .where("position", "=", place)
      .execute();
  }
  const attempts = await db
    .selectFrom("email_attempts")
    .select(["number", "reply", "trace"])
    .where("email_id", "=", row)
    .execute();
  for (const { number, reply, trace } of attempts)
    await db
      .updateTable("email_attempts")
      .set({
        reply: isAlone ? "" : erase(reply),
        trace: isAlone || trace === null ? null : erase(trace),
      })
      .where("email_id", "=", row)
      .where("number", "=", number)
      .execute();
}

/** Removes reports about the e-mail: their text is whole messages with quotations. */
async function eraseReports(
  db: Handle,
  { row, id, position, isAlone }: EmailToPerson,
  erase: Erase,
): Promise<void> {
  await db
    .updateTable("recipient_reports")
    .set({ reply: "" })
    .where("email_id", "=", row)
    // A delay is reported of the whole e-mail, at a position of its own.
    .$if(!isAlone, (theirs) => theirs.where("position", "=", position))
    .execute();
  const others = await db
    .selectFrom("recipient_reports")
    .select(["position", "kind", "reply"])
    .where("email_id", "=", row)
    .where("reply", "<>", "")
    .execute();
  for (const other of others)
    await db
      .updateTable("recipient_reports")
      .set({ reply: erase(other.reply) })
      .where("email_id", "=", row)
      .where("position", "=", other.position)
      .where("kind", "=", other.kind)
      .execute();
  const reports = await db
    .selectFrom("inbound_reports")
    .select(["id", "effects"])
    .where("email_id", "=", id)
    .execute();
  for (const { id: report, effects } of reports)
    await db
      .updateTable("inbound_reports")
      .set({ raw: "", effects: erase(effects) })
      .where("id", "=", report)
      .execute();
}

/** Removes where and with what the person read. Those of a message to several may be anybody's, so theirs too. */
async function eraseHits(db: Handle, { row, position }: EmailToPerson): Promise<void> {
  await db
    .updateTable("email_hits")
    .set({ last_address: null, last_agent: null })
    .where("email_id", "=", row)
    .where("position", "in", [position, several])
    .execute();
}

/** Also of one that is encrypted: its header fields are not. */
async function erasePayload(
  db: Handle,
  { erasedAs }: ErasedPerson,
  { row }: EmailToPerson,
  erase: Erase,
): Promise<void> {
  const kept = await db
    .selectFrom("email_payloads")
    .select("payload")
    .where("email_id", "=", row)
    .executeTakeFirst();
  if (kept === undefined) return;
  const payload = withoutFolds(kept.payload, erase);
  if (erase(payload) === payload) return;
  const { from, sender } = readStoredObject(payload);
  const erased: Partial<EmailPayload> = readStoredObject(erase(payload));
  // The others still get it: from its sender, whose server accepts no other, and with no address that nobody can answer to.
  const replyTo = erased.replyTo?.filter(({ address }) => address !== erasedAs);
  await db
    .updateTable("email_payloads")
    .set({ payload: JSON.stringify({ ...erased, from, sender, replyTo, ...folded(erased) }) })
    .where("email_id", "=", row)
    .execute();
}

/**
 * Returns a payload whose invitation names the person in a line that is folded (RFC 5545 section 3.1), maybe within the
 * address, with whole lines there.
 */
function withoutFolds(payload: string, erase: Erase): string {
  const { calendar, ...rest }: Partial<EmailPayload> = readStoredObject(payload);
  if (typeof calendar?.content !== "string") return payload;
  const content = calendar.content.replace(/\r?\n[ \t]/g, "");
  if (erase(content) === content) return payload;
  return JSON.stringify({ ...rest, calendar: { ...calendar, content } });
}

/** Folds the lines of an invitation again, as mail programs expect them: at about 75 bytes. */
function folded({ calendar }: Partial<EmailPayload>): Pick<EmailPayload, "calendar"> {
  if (typeof calendar?.content !== "string") return {};
  const content = calendar.content.replace(/[^\r\n]{70}(?=[^\r\n])/gu, "$&\r\n ");
  return { calendar: { ...calendar, content } };
}

/** Returns the e-mails whose content contains the address and is no longer needed to send them. */
async function namedByContent(
  db: Handle,
  engine: Engine,
  person: ErasedPerson,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("emails as e")
    .innerJoin("contents as c", "c.id", "e.content_id")
    .leftJoin("email_queue as q", "q.email_id", "e.id")
    .select("e.id")
    .where("q.email_id", "is", null)
    .where((eb) => engine.anyOf(eb.ref("e.id"), ids))
    .where(
      naming(
        engine,
        person,
        ["c.subject", "c.html", "c.text"].map((column) => sql.ref(column)),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}
