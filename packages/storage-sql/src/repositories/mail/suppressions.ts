import type { PutResult, Suppression, SuppressionFilter, Suppressions } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import { briefly } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { countOf, listById } from "../../list-range.ts";
import { prepared } from "../../prepared.ts";
import { present } from "../../present.ts";
import { columnsOf, type Row } from "../../tables.ts";
import { deleteExpired } from "../delete-expired.ts";

const { id: _, ...types } = columnsOf("suppressions");

const toRow = (entry: Suppression) => ({
  workspace_id: entry.workspaceId,
  scope: entry.scope,
  address_key: entry.addressKey,
  domain_key: entry.addressKey.slice(entry.addressKey.lastIndexOf("@") + 1),
  address: entry.address,
  origin: entry.origin,
  reason: entry.reason,
  email_id: entry.emailId ?? null,
  created_by: entry.createdBy ?? null,
  created_at: entry.createdAt,
  expires_at: entry.expiresAt ?? null,
  replaced: 0,
  ...noFormer,
});

/** Columns about the entry that another replaced. */
const noFormer = {
  former_origin: null,
  former_expires_at: null,
  former_reason: null,
  former_email_id: null,
  former_created_by: null,
  former_created_at: null,
};

export const toSuppression = (row: Row<"suppressions">): Suppression => ({
  workspaceId: row.workspace_id,
  scope: row.scope,
  addressKey: row.address_key,
  address: row.address,
  origin: row.origin as Suppression["origin"],
  reason: row.reason,
  emailId: present(row.email_id),
  createdBy: present(row.created_by),
  createdAt: row.created_at,
  expiresAt: present(row.expires_at),
});

const nameOf = ({ workspaceId, addressKey, scope }: Suppression): string =>
  `${workspaceId} ${addressKey} ${scope}`;
const endOf = ({ expiresAt }: Suppression): number => expiresAt ?? Number.POSITIVE_INFINITY;

/** Whether an entry takes the place of another with the same scope and address. */
export const isStronger = (entry: Suppression, other: Suppression): boolean =>
  endOf(entry) > endOf(other) ||
  (endOf(entry) === endOf(other) && entry.origin === "complaint" && other.origin !== "complaint");

/**
 * If several entries have the same scope and address, keeps the first of the strongest; sorted by name, in a fixed
 * order.
 */
function strongest(entries: Suppression[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, entry] of entries.entries()) {
    const other = entries[places.get(nameOf(entry)) ?? -1];
    if (other === undefined || isStronger(entry, other)) places.set(nameOf(entry), place);
  }
  // Sorted, so that transactions can't deadlock.
  return new Map([...places].sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Written = Pick<
  Row<"suppressions">,
  "workspace_id" | "address_key" | "scope" | "replaced" | "former_origin" | "former_expires_at"
>;

const resultOf = ({ replaced, former_origin, former_expires_at }: Written): PutResult =>
  replaced === 0
    ? { outcome: "added" }
    : {
        outcome: "updated",
        former: { origin: former_origin as Suppression["origin"], expiresAt: present(former_expires_at) },
      };

/** What else is kept of the one that an unsubscription replaces: the recipient may undo it. */
const undoable = ["reason", "email_id", "created_by", "created_at"].map(
  (column) =>
    sql`${sql.ref(`former_${column}`)} = case when excluded.origin = 'unsubscribe' then s.${sql.ref(column)} end`,
);

async function put(db: Handle, engine: Engine, entries: Suppression[], now: number): Promise<PutResult[]> {
  if (entries.length === 0) return [];
  const places = strongest(entries);
  const rows = [...places.values()].flatMap((place) => entries.slice(place, place + 1).map(toRow));
  const columns = sql.join(Object.keys(types).map((column) => sql.ref(column)));
  const { rows: changed } = await sql<Written>`
    insert into ${engine.table("suppressions")} as s (${columns})
    select ${columns} from ${engine.valuesTable("v", types, rows)} where true
    on conflict (workspace_id, address_key, scope) do update
    set address = excluded.address, origin = excluded.origin, reason = excluded.reason,
      email_id = excluded.email_id, created_by = excluded.created_by, created_at = excluded.created_at,
      expires_at = excluded.expires_at, replaced = case when s.expires_at <= ${now} then 0 else s.replaced + 1 end,
      former_origin = s.origin, former_expires_at = s.expires_at, ${sql.join(undoable)}
    where (s.expires_at is not null and (excluded.expires_at is null or excluded.expires_at > s.expires_at))
      or (excluded.origin = 'complaint' and s.origin <> 'complaint'
        and (excluded.expires_at is null or excluded.expires_at = s.expires_at))
    returning workspace_id, address_key, scope, replaced, former_origin, former_expires_at
  `.execute(db);
  const results = new Map(
    changed.map((row) => [`${row.workspace_id} ${row.address_key} ${row.scope}`, resultOf(row)]),
  );
  const unchanged = { outcome: "unchanged" } as const;
  return entries.map((entry, place) =>
    places.get(nameOf(entry)) === place ? (results.get(nameOf(entry)) ?? unchanged) : unchanged,
  );
}

const findUnder = prepared(
  (db, { workspaceIds, keys }: { workspaceIds: number[]; keys: string[] }, engine) =>
    db
      .selectFrom("suppressions")
      .selectAll()
      .where((is) => engine.anyOf(is.ref("workspace_id"), workspaceIds, "bigint"))
      .where((is) => engine.anyOf(is.ref("address_key"), keys, "text")),
  briefly({ usuallyEmpty: true }),
);

/** End of a range of texts with the same prefix, in byte order. */
const lastLetter = "\u{10ffff}";

function filtered(db: Handle, engine: Engine, filter: SuppressionFilter, now: number) {
  const { workspaceId, q, origin, scope, from, until } = filter;
  let query = db
    .selectFrom("suppressions")
    .where("workspace_id", "=", workspaceId)
    .where((is) => is.or([is("expires_at", "is", null), is("expires_at", ">", now)]));
  if (q !== undefined) {
    const [column, prefix] = q.startsWith("@")
      ? (["domain_key", q.slice(1)] as const)
      : (["address_key", q] as const);
    const text = engine.bytewise(sql.ref(column));
    query = query.where(sql<boolean>`${text} >= ${prefix} and ${text} < ${prefix + lastLetter}`);
  }
  if (origin !== undefined) query = query.where("origin", "=", origin);
  if (scope !== undefined) query = query.where("scope", "=", scope);
  if (from !== undefined) query = query.where("created_at", ">=", from);
  if (until !== undefined) query = query.where("created_at", "<", until);
  return query;
}

const createReads = (db: Handle, engine: Engine) =>
  ({
    async find(workspaceId, { scope, addressKey }, now) {
      const row = await filtered(db, engine, { workspaceId, scope }, now)
        .selectAll()
        .where("address_key", "=", addressKey)
        .executeTakeFirst();
      return row && toSuppression(row);
    },
    async findUnder(wanted) {
      if (wanted.length === 0) return [];
      const workspaceIds = [...new Set(wanted.map(({ workspaceId }) => workspaceId))];
      const keys = [...new Set(wanted.map(({ addressKey }) => addressKey))];
      const found = (await findUnder(db, engine, { workspaceIds, keys })).map(toSuppression);
      if (workspaceIds.length === 1) return found;
      const asked = new Set(wanted.map(({ workspaceId, addressKey }) => `${workspaceId} ${addressKey}`));
      return found.filter(({ workspaceId, addressKey }) => asked.has(`${workspaceId} ${addressKey}`));
    },
    async list(filter, slice, now) {
      const { workspaceId: holder } = filter;
      const query = filtered(db, engine, filter, now);
      return listById(query.selectAll(), slice, {
        holder,
        toItem: toSuppression,
        count: () => countOf(query, { holder }),
      });
    },
    async listAfter(workspaceId, cursor, limit, now) {
      const rows = await filtered(db, engine, { workspaceId }, now)
        .selectAll()
        .where("id", ">", cursor)
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...toSuppression(row), cursor: row.id }));
    },
  }) satisfies Partial<Suppressions>;

/** Suppressed addresses of workspaces. */
export const createSuppressionsRepository = (db: Handle, engine: Engine): Suppressions => ({
  ...createReads(db, engine),
  put: (entries, now) => atomically(db, (tx) => put(tx, engine, entries, now)),
  async restoreReplaced(workspaceId, { scope, addressKey }, now) {
    const row = await db
      .updateTable("suppressions")
      .set((is) => ({
        origin: sql<string>`former_origin`,
        expires_at: is.ref("former_expires_at"),
        reason: sql<string>`former_reason`,
        email_id: is.ref("former_email_id"),
        created_by: is.ref("former_created_by"),
        created_at: sql<number>`former_created_at`,
        ...noFormer,
      }))
      .where("workspace_id", "=", workspaceId)
      .where("address_key", "=", addressKey)
      .where("scope", "=", scope)
      .where("origin", "=", "unsubscribe")
      .where("former_expires_at", ">", now)
      .returningAll()
      .executeTakeFirst();
    return row && toSuppression(row);
  },
  async delete(workspaceId, { scope, addressKey }, now) {
    const row = await db
      .deleteFrom("suppressions")
      .where("workspace_id", "=", workspaceId)
      .where("address_key", "=", addressKey)
      .where("scope", "=", scope)
      .where((is) => is.or([is("expires_at", "is", null), is("expires_at", ">", now)]))
      .returningAll()
      .executeTakeFirst();
    return row && toSuppression(row);
  },
  deleteExpired: (now, limit) => deleteExpired(db, "suppressions", now, limit),
});
