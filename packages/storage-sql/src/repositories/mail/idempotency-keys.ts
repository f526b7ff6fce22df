import type { IdempotencyKeys } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import { deferred } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { columnsOf } from "../../tables.ts";
import { stillBefore } from "../still-before.ts";

type Requests = Parameters<IdempotencyKeys["reserve"]>[0];
type Answer = { bodyDigest: string; answer: string };
type KeyOf = { apiKeyId: string; key: string };

const keyTypes = columnsOf("idempotency_keys", ["api_key_id", "key"]);
const rowTypes = columnsOf("idempotency_keys");
const find = prepared((db, values: KeyOf & { notBefore: number }) =>
  db
    .selectFrom("idempotency_keys")
    .select(["body_digest", "answer"])
    .where("api_key_id", "=", values.apiKeyId)
    .where("key", "=", values.key)
    .where("created_at", ">", values.notBefore),
);

const answerTypes = columnsOf("idempotency_keys", ["api_key_id", "key", "answer"]);

const setAnswers = prepared(
  (_, { rows }: { rows: Record<keyof typeof answerTypes, string>[] }, engine) => sql<never>`
    update ${engine.table("idempotency_keys")} as k set answer = v.answer
    from ${engine.valuesToFind("v", answerTypes, rows)} where k.api_key_id = v.api_key_id and k.key = v.key
  `,
  deferred,
);

const deleteBefore = prepared((db, values: { before: number; limit: number }) =>
  db
    .deleteFrom("idempotency_keys")
    .where((eb) =>
      eb(
        eb.refTuple("api_key_id", "key"),
        "in",
        eb
          .selectFrom("idempotency_keys")
          .select(["api_key_id", "key"])
          .where("created_at", "<", values.before)
          .orderBy("created_at")
          .limit(values.limit)
          .$asTuple("api_key_id", "key"),
      ),
    )
    .where(stillBefore("created_at", values.before))
    .returning("key"),
);

/** Responses stored under an `Idempotency-Key`. */
export function createIdempotencyKeysRepository(db: Handle, engine: Engine): IdempotencyKeys {
  return {
    reserve: async (requests, notBefore) =>
      requests.length === 0 ? [] : atomically(db, (tx) => reserve(tx, engine, requests, notBefore)),
    async answer(requests) {
      const rows = requests.map(({ apiKeyId: api_key_id, key, answer }) => ({ api_key_id, key, answer }));
      if (rows.length > 0) await setAnswers(db, engine, { rows });
    },
    async release(requests) {
      if (requests.length === 0) return;
      const keys = requests.map(({ apiKeyId, key }) => ({ api_key_id: apiKeyId, key }));
      await sql`
        delete from ${engine.table("idempotency_keys")}
        where (api_key_id, key) in (select api_key_id, key from ${engine.valuesToFind("v", keyTypes, keys)})
      `.execute(db);
    },
    async find(apiKeyId, key, notBefore) {
      const [row] = await find(db, engine, { apiKeyId, key, notBefore });
      return row && { bodyDigest: row.body_digest, answer: row.answer };
    },
    deleteBefore: async (before, limit) => (await deleteBefore(db, engine, { before, limit })).length,
  };
}

const nameOf = ({ apiKeyId, key }: KeyOf): string => `${apiKeyId} ${key}`;

async function reserve(
  db: Handle,
  engine: Engine,
  requests: Requests,
  notBefore: number,
): Promise<(Answer | undefined)[]> {
  const firsts = new Map<string, Requests[number]>();
  for (const request of requests) if (!firsts.has(nameOf(request))) firsts.set(nameOf(request), request);
  const names = [...firsts.keys()].sort();
  const rows = names
    .flatMap((name) => firsts.get(name) ?? [])
    .map((request) => ({
      api_key_id: request.apiKeyId,
      key: request.key,
      body_digest: request.bodyDigest,
      answer: request.answer,
      created_at: request.createdAt,
    }));
  // Only rows that were inserted or had expired are returned; rows of concurrent transactions are waited for, in a
  // fixed order.
  const { rows: taken } = await sql<{ api_key_id: string; key: string }>`
    insert into ${engine.table("idempotency_keys")} as k (api_key_id, key, body_digest, answer, created_at)
    select api_key_id, key, body_digest, answer, created_at
    from ${engine.valuesTable("v", rowTypes, rows)} where true
    on conflict (api_key_id, key) do update
    set body_digest = excluded.body_digest, answer = excluded.answer, created_at = excluded.created_at
    where k.created_at <= ${notBefore}
    returning api_key_id, key
  `.execute(db);
  const own = new Set(taken.map((row) => nameOf({ apiKeyId: row.api_key_id, key: row.key })));
  const kept = own.size < rows.length ? await findAll(db, engine, rows) : new Map<string, Answer>();
  return requests.map((request) => {
    const name = nameOf(request);
    const first = firsts.get(name);
    if (!own.has(name)) return kept.get(name);
    return first === request || first === undefined
      ? undefined
      : { bodyDigest: first.bodyDigest, answer: first.answer };
  });
}

async function findAll(
  db: Handle,
  engine: Engine,
  keys: Readonly<Record<string, unknown>>[],
): Promise<Map<string, Answer>> {
  const { rows } = await sql<{ api_key_id: string; key: string; body_digest: string; answer: string }>`
    select k.api_key_id, k.key, k.body_digest, k.answer from ${engine.table("idempotency_keys")} as k
    join ${engine.valuesToFind("v", keyTypes, keys)} on k.api_key_id = v.api_key_id and k.key = v.key
  `.execute(db);
  return new Map(
    rows.map((row) => [
      nameOf({ apiKeyId: row.api_key_id, key: row.key }),
      { bodyDigest: row.body_digest, answer: row.answer },
    ]),
  );
}
