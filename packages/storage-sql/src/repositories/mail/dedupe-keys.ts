import type { DedupeKey, DedupeKeys } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { columnsOf } from "../../tables.ts";

type Requests = Parameters<DedupeKeys["reserve"]>[0];

const releaseTypes = columnsOf("dedupe_keys", ["workspace_id", "key", "email_id"]);
const rowTypes = columnsOf("dedupe_keys");

const find = prepared((db, values: { workspaceId: number; keys: string[] }, engine) =>
  db
    .selectFrom("dedupe_keys")
    .selectAll()
    .where("workspace_id", "=", values.workspaceId)
    .where((eb) => engine.anyOf(eb.ref("key"), values.keys)),
);

/** Deduplication keys: one e-mail is ever sent per key. */
export function createDedupeKeysRepository(db: Handle, engine: Engine): DedupeKeys {
  return {
    reserve: async (requests) =>
      requests.length === 0 ? [] : atomically(db, (tx) => reserve(tx, engine, requests)),
    async release(requests) {
      if (requests.length === 0) return;
      const rows = requests.map(({ workspaceId, key, emailId }) => ({
        workspace_id: workspaceId,
        key,
        email_id: emailId,
      }));
      await sql`
        delete from ${engine.table("dedupe_keys")}
        where (workspace_id, key, email_id) in
          (select workspace_id, key, email_id from ${engine.valuesToFind("v", releaseTypes, rows)})
      `.execute(db);
    },
    find: async (workspaceId, keys) =>
      keys.length === 0
        ? []
        : (await find(db, engine, { workspaceId, keys })).map((row) => ({
            workspaceId: row.workspace_id,
            key: row.key,
            emailId: row.email_id,
          })),
  };
}

const nameOf = ({ workspaceId, key }: Pick<DedupeKey, "workspaceId" | "key">): string =>
  `${workspaceId} ${key}`;

async function reserve(db: Handle, engine: Engine, requests: Requests): Promise<(string | undefined)[]> {
  const firsts = new Map<string, Requests[number]>();
  for (const request of requests) if (!firsts.has(nameOf(request))) firsts.set(nameOf(request), request);
  // Locks rows in a fixed order, so that transactions can't deadlock.
  const rows = [...firsts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { workspaceId, key, emailId, createdAt }]) => ({
      workspace_id: workspaceId,
      key,
      email_id: emailId,
      created_at: createdAt,
    }));
  const { rows: taken } = await sql<{ workspace_id: number; key: string }>`
    insert into ${engine.table("dedupe_keys")} (workspace_id, key, email_id, created_at)
    select workspace_id, key, email_id, created_at from ${engine.valuesTable("v", rowTypes, rows)} where true
    on conflict (workspace_id, key) do nothing
    returning workspace_id, key
  `.execute(db);
  const own = new Set(taken.map((row) => nameOf({ workspaceId: row.workspace_id, key: row.key })));
  const kept = new Map<string, string>();
  const others = [...firsts].filter(([name]) => !own.has(name)).map(([, request]) => request);
  for (const [workspaceId, those] of Map.groupBy(others, (one) => one.workspaceId))
    for (const row of await find(db, engine, { workspaceId, keys: those.map(({ key }) => key) }))
      kept.set(nameOf({ workspaceId, key: row.key }), row.email_id);
  return requests.map((request) => {
    const name = nameOf(request);
    if (!own.has(name)) return kept.get(name);
    const first = firsts.get(name);
    return first === request ? undefined : first?.emailId;
  });
}
