import type { Operations, SealedColumn, SealedText, SecretHolder } from "@posthorn/core/storage";
import { type RawBuilder, sql } from "kysely";
import type { Engine, Handle } from "../../engine.ts";
import { parsePayload } from "../mail/emails/rows.ts";

/** Most rows of a piece. */
const maxRows = 500;
/** Bytes of e-mails after which a piece ends. */
const maxBytes = 4 * 1024 * 1024;

type Row = Omit<SealedText, "expiresAt"> & { expires_at: number | null };
type Source = (engine: Engine, after: number) => RawBuilder<Row>;

const none = sql<null>`null`;

/** Reads a column of a table whose rows have a UUID. */
const byUuid =
  (table: "webhooks" | "smtp_servers" | "inbound_endpoints", column: string, expiresAt = none): Source =>
  (engine, after) =>
    sql<Row>`
    select id as "row", uuid as holder, '' as selector, ${sql.ref(column)} as sealed, ${expiresAt} as expires_at
    from ${engine.table(table)} where id > ${after} and ${sql.ref(column)} is not null
    order by id limit ${sql.lit(maxRows)}`;

const ofUsers =
  (column: string, expiresAt = none): Source =>
  (engine, after) =>
    sql<Row>`
    select id as "row", cast(id as text) as holder, '' as selector, ${sql.ref(column)} as sealed,
      ${expiresAt} as expires_at
    from ${engine.table("users")} where id > ${after} and ${sql.ref(column)} is not null
    order by id limit ${sql.lit(maxRows)}`;

const ofDomainKeys: Source = (engine, after) => sql<Row>`
  select k.id as "row", d.uuid as holder, k.selector, k.private_key as sealed, ${none} as expires_at
  from ${engine.table("domain_keys")} as k join ${engine.table("domains")} as d on d.id = k.domain_id
  where k.id > ${after} and k.private_key <> '' order by k.id limit ${sql.lit(maxRows)}`;

const sources: Readonly<Record<Exclude<SealedColumn, "email_payloads.payload">, Source>> = {
  "webhooks.secret": byUuid("webhooks", "secret"),
  "webhooks.former_secret": byUuid("webhooks", "former_secret", sql`former_secret_until`),
  "smtp_servers.password": byUuid("smtp_servers", "password"),
  "inbound_endpoints.secret": byUuid("inbound_endpoints", "secret"),
  "domain_keys.private_key": ofDomainKeys,
  "users.totp_secret": ofUsers("totp_secret"),
  "users.pending_totp_secret": ofUsers("pending_totp_secret", sql`pending_totp_expires_at`),
};

/** Lists a piece of a column's sealed texts, those of the rows after `after`. */
export async function listSealed(
  db: Handle,
  engine: Engine,
  column: SealedColumn,
  after: number,
): Promise<SealedText[]> {
  if (column === "email_payloads.payload") return await listOfEmails(db, engine, after);
  const { rows } = await sources[column](engine, after).execute(db);
  return rows.map(({ expires_at, ...text }) => ({ ...text, expiresAt: expires_at ?? undefined }));
}

/** Their data may be large: a piece has as many e-mails as fit, at least one. */
async function listOfEmails(db: Handle, engine: Engine, after: number): Promise<SealedText[]> {
  const sizes = await sql<{ id: number; bytes: number }>`
    select email_id as id, octet_length(payload) as bytes from ${engine.table("email_payloads")}
    where email_id > ${after} and is_sealed order by email_id limit ${sql.lit(maxRows)}`.execute(db);
  let bytes = 0;
  const last =
    sizes.rows.find((row) => {
      bytes += row.bytes;
      return bytes > maxBytes;
    }) ?? sizes.rows.at(-1);
  if (last === undefined) return [];
  const { rows } = await sql<{ row: number; holder: string | null; payload: string }>`
    select p.email_id as "row", e.uuid as holder, p.payload from ${engine.table("email_payloads")} as p
    left join ${engine.table("emails")} as e on e.id = p.email_id
    where p.email_id > ${after} and p.email_id <= ${last.id} and p.is_sealed order by p.email_id`.execute(db);
  return rows.map(({ row, holder, payload }) => {
    const data = parsePayload(payload)?.data;
    const sealed = typeof data === "string" ? data : "";
    return { row, holder: holder ?? "", selector: "", sealed, expiresAt: undefined };
  });
}

interface HolderRow {
  id: string;
  workspace_id: number | null;
  name: string;
}

/** What is told of with a text that no key opens, by kind; former secrets and pending ones are not. */
const holdersOf = (
  { table }: Engine,
  isOther: (column: string) => RawBuilder<boolean>,
): Readonly<Record<SecretHolder["kind"], RawBuilder<HolderRow>>> => ({
  webhook: sql`select uuid as id, workspace_id, url as name from ${table("webhooks")} as t where ${isOther("secret")}`,
  smtp_server: sql`
    select uuid as id, workspace_id, name from ${table("smtp_servers")} as t where ${isOther("password")}`,
  inbound_endpoint: sql`
    select uuid as id, workspace_id, provider as name from ${table("inbound_endpoints")} as t
    where ${isOther("secret")}`,
  domain: sql`
    select uuid as id, workspace_id, name from ${table("domains")} as t where t.id in
      (select domain_id from ${table("domain_keys")} where private_key <> '' and ${isOther("private_key")})`,
  user: sql`
    select cast(id as text) as id, null as workspace_id, email as name from ${table("users")} as t
    where ${isOther("totp_secret")}`,
});

/** Lists what has a secret whose sealed text does not begin with `prefix`, at most `limit` of each kind. */
export async function listSealedOtherwise(
  db: Handle,
  engine: Engine,
  prefix: string,
  limit: number,
): Promise<SecretHolder[]> {
  const isOther = (column: string) =>
    sql<boolean>`substr(${sql.ref(column)}, 1, ${sql.lit(prefix.length)}) <> ${prefix}`;
  const found: SecretHolder[] = [];
  for (const [kind, holders] of Object.entries(holdersOf(engine, isOther))) {
    const { rows } = await sql<HolderRow>`${holders} order by t.id limit ${sql.lit(limit)}`.execute(db);
    for (const { id, workspace_id, name } of rows)
      found.push({ kind: kind as SecretHolder["kind"], id, workspaceId: workspace_id ?? undefined, name });
  }
  return found;
}

/** Replaces sealed texts of a column, wherever they are still the same, in one statement. */
export async function replaceSealed(
  db: Handle,
  engine: Engine,
  column: SealedColumn,
  texts: Parameters<Operations["replaceSealed"]>[1],
): Promise<void> {
  if (texts.length === 0) return;
  const [table, name] = column.split(".") as ["email_payloads", "payload"];
  const key = sql.ref(`t.${column === "email_payloads.payload" ? "email_id" : "id"}`);
  const values = texts.map(
    ({ row, sealed, resealed }) => sql`(cast(${row} as bigint), ${sealed}, ${resealed})`,
  );
  // An e-mail's is a part of its payload's JSON, in which it needs no escapes.
  await sql`
    with changes (id, sealed, resealed) as (values ${sql.join(values)})
    update ${engine.table(table)} as t set ${sql.ref(name)} = replace(t.${sql.ref(name)}, c.sealed, c.resealed)
    from changes as c where ${key} = c.id`.execute(db);
}
