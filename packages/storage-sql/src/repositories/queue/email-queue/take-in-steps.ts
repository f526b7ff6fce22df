import { sql } from "kysely";
import type { Engine, Handle, ItemKey, TakenItem } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import type { Row } from "../../../tables.ts";

/** The claim's id is hidden from the planner: the rows are found by their e-mails. */
const removeItems = prepared((db, { claim, ids }: { claim: number; ids: number[] }, engine) =>
  db
    .deleteFrom("claim_items")
    .where((eb) => engine.anyOf(eb.ref("email_id"), ids, "bigint"))
    .where((eb) => sql`${eb.ref("claim_id")} = ${engine.unseen(claim)}`)
    .returningAll(),
);

const lowerCount = prepared(
  (_, { claim, gone }: { claim: number; gone: number }, engine) => sql<{ items: number }>`
    update ${engine.table("claims")} set items = items - ${gone} where id = ${engine.unseen(claim)} returning items
  `,
);

/** Takes e-mails from their claims by a statement for each step, for an engine to which statements cost little. */
export async function takeInSteps(
  db: Handle,
  engine: Engine,
  keys: readonly ItemKey[],
): Promise<TakenItem[]> {
  const taken: TakenItem[] = [];
  for (const [claim, ofIt] of Map.groupBy(keys, ({ claim_id }) => claim_id)) {
    const items: Row<"claim_items">[] = await removeItems(db, engine, {
      claim,
      ids: ofIt.map(({ email_id }) => email_id),
    });
    if (items.length === 0) continue;
    const [row] = await lowerCount(db, engine, { claim, gone: items.length });
    const left = row?.items ?? 0;
    for (const item of items) taken.push(Object.assign(item, { left }));
  }
  return taken;
}
