import type { EmailAttempt, EmailOfPerson, Person } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { selectDetails } from "../mail/emails/recipient-details.ts";
import { parsePayload, toRecipientDetails } from "../mail/emails/rows.ts";
import { viewRow, withStatus } from "../mail/emails/with-status.ts";
import { toHits } from "../tracking/tracking.ts";
import { othersHidden } from "./hide-others.ts";

/** Number of e-mails that are read at once, and bytes of their values and texts, but for one larger e-mail. */
const atOnce = { emails: 100, bytes: 1024 * 1024 };

const findNext = prepared(
  (db, to: { workspaceId: number; addressKey: string; after: number; limit: number }) =>
    db
      .selectFrom("email_recipients as r")
      .leftJoin("email_payloads as p", "p.email_id", "r.email_id")
      .leftJoin("emails as e", (join) => join.onRef("e.id", "=", "r.email_id").on("e.template", "is", null))
      .leftJoin("contents as c", "c.id", "e.content_id")
      .select([
        "r.email_id",
        sql<number | null>`octet_length(p.payload)`.as("bytes"),
        sql<number | null>`octet_length(c.html) + octet_length(c.text)`.as("content_bytes"),
      ])
      .where("r.workspace_id", "=", to.workspaceId)
      .where("r.address_key", "=", to.addressKey)
      .where("r.email_id", ">", to.after)
      .orderBy("r.email_id")
      .limit(to.limit),
);

const findEmails = prepared((db, { rows }: { rows: number[] }, engine) =>
  withStatus(db)
    .selectAll("e")
    .select(["o.status", "o.settled_at", "i.claim_id"])
    .where((eb) => engine.anyOf(eb.ref("e.id"), rows))
    .orderBy("e.id"),
);

const findParts = prepared((db, { rows, key }: { rows: number[]; key: string }, engine) =>
  selectDetails(db)
    .where((eb) => engine.anyOf(eb.ref("r.email_id"), rows))
    // No index of addresses: with statistics, SQLite would read all of the person's rows by it, for each piece.
    .where(sql<string>`r.address_key || ''`, "=", key),
);

const findHits = prepared((db, { rows }: { rows: number[] }, engine) =>
  db
    .selectFrom("email_hits")
    .selectAll()
    .where((eb) => engine.anyOf(eb.ref("email_id"), rows))
    .orderBy("kind", "desc"),
);

const findAttempts = prepared((db, { rows }: { rows: number[] }, engine) =>
  db
    .selectFrom("email_attempts")
    .select(["email_id", "number", "outcome", "reply"])
    .where((eb) => engine.anyOf(eb.ref("email_id"), rows))
    .orderBy("number"),
);

const findPayloads = prepared((db, { rows }: { rows: number[] }, engine) =>
  db
    .selectFrom("email_payloads")
    .select(["email_id", "payload"])
    .where((eb) => engine.anyOf(eb.ref("email_id"), rows))
    .where("is_sealed", "=", sql.lit(false)),
);

const findContents = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .selectFrom("contents")
    .select(["id", "html", "text"])
    .where((eb) => engine.anyOf(eb.ref("id"), ids)),
);

/** Reads the next e-mails to a person, however many there are, by a handful of statements. */
export async function readEmails(
  db: Handle,
  engine: Engine,
  { person, after, now }: { person: Person; after: number; now: number },
): Promise<{ emails: EmailOfPerson[]; next: number | undefined }> {
  const { workspaceId, addressKey } = person;
  const found = await findNext(db, engine, { workspaceId, addressKey, after, limit: atOnce.emails });
  const rows = fitting(found);
  const last = rows.at(-1);
  if (last === undefined) return { emails: [], next: undefined };
  const parts = byEmail(await findParts(db, engine, { rows, key: addressKey }));
  const hits = byEmail(await findHits(db, engine, { rows }));
  const attempts = byEmail(await findAttempts(db, engine, { rows }));
  const payloads = byEmail(await findPayloads(db, engine, { rows }));
  const stored = await findEmails(db, engine, { rows });
  const contents = await readContents(db, engine, stored);
  const { inText } = othersHidden(person);
  const emails = stored.flatMap((row): EmailOfPerson[] => {
    const [part] = parts.get(row.id) ?? [];
    // Removed meanwhile.
    if (part === undefined) return [];
    const [kept] = payloads.get(row.id) ?? [];
    return [
      {
        email: viewRow(row, now),
        recipient: toRecipientDetails(part),
        hits: (hits.get(row.id) ?? []).filter(({ position }) => position === part.position).map(toHits),
        attempts: (attempts.get(row.id) ?? []).map(({ number, outcome, reply }) => ({
          number,
          outcome: outcome as EmailAttempt["outcome"],
          reply: inText(reply),
        })),
        payload: kept && parsePayload(kept.payload),
        // Without its payload it is encrypted or was removed.
        content: kept && contents.get(row.content_id ?? 0),
      },
    ];
  });
  return { emails, next: rows.length < found.length || rows.length === atOnce.emails ? last : undefined };
}

/** Reads what the e-mails that have no template say, by the content's number. */
async function readContents(
  db: Handle,
  engine: Engine,
  emails: readonly { template: string | null; content_id: number | null }[],
): Promise<Map<number, { html: string; text: string }>> {
  const ids = emails.flatMap(({ template, content_id }) => (template === null ? (content_id ?? []) : []));
  if (ids.length === 0) return new Map();
  const rows = await findContents(db, engine, { ids: [...new Set(ids)] });
  return new Map(rows.map(({ id, html, text }) => [id, { html, text }]));
}

/** The first of the e-mails that fit into what is read at once; at least one. */
function fitting(
  found: readonly { email_id: number; bytes: number | null; content_bytes: number | null }[],
): number[] {
  let bytes = 0;
  const end = found.findIndex((each, at) => {
    bytes += Number(each.bytes ?? 0) + Number(each.content_bytes ?? 0);
    return at > 0 && bytes > atOnce.bytes;
  });
  return found.slice(0, end === -1 ? found.length : end).map(({ email_id }) => email_id);
}

const byEmail = <R extends { email_id: number }>(rows: readonly R[]): Map<number, R[]> =>
  Map.groupBy(rows, ({ email_id }) => email_id);
