import { sql } from "kysely";
import type { Engine, Handle, ItemKey, TakenItem } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { columnsOf, type Row } from "../../../tables.ts";

const keyTypes = columnsOf("claim_items", ["email_id", "claim_id"]);

const removeItems = prepared(
  (_, { rows }: { rows: readonly ItemKey[] }, engine) => sql<Row<"claim_items">>`
    delete from ${engine.table("claim_items")}
    where (email_id, claim_id) in (select email_id, claim_id from ${engine.valuesToFind("v", keyTypes, rows)})
    returning email_id, claim_id, route, lane, due_at, queued_at, attempts, bytes
  `,
);

const countTypes = { claim: "bigint", gone: "bigint" } as const;

const lowerCounts = prepared(
  (_, { rows }: { rows: Record<keyof typeof countTypes, number>[] }, engine) => sql<{
    id: number;
    items: number;
  }>`
    update ${engine.table("claims")} as c set items = c.items - v.gone
    from ${engine.valuesToFind("v", countTypes, rows)} where c.id = v.claim
    returning id, items
  `,
);

/** Takes e-mails from their claims by a statement for each step, for an engine to which statements cost little. */
export async function takeInSteps(
  db: Handle,
  engine: Engine,
  keys: readonly ItemKey[],
): Promise<TakenItem[]> {
  const items = await removeItems(db, engine, { rows: keys });
  if (items.length === 0) return [];
  const counts = new Map<number, number>();
  for (const { claim_id } of items) counts.set(claim_id, (counts.get(claim_id) ?? 0) + 1);
  const rows = [...counts].sort(([a], [b]) => a - b).map(([claim, gone]) => ({ claim, gone }));
  const left = new Map((await lowerCounts(db, engine, { rows })).map((row) => [row.id, row.items]));
  return items.map((item) => ({ ...item, left: left.get(item.claim_id) ?? 0 }));
}
