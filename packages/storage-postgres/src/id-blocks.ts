import type { Engine } from "@posthorn/storage-sql";
import { sql } from "kysely";

/** Ids beyond those asked for that a busy process takes at once. */
const spare = 256;
/** Ms that spare ids are good for: ids tell roughly in what order rows were made. */
const goodForMs = 1_000;

interface Block {
  ids: number[];
  takenAt: number;
}

/** Ids of tables' sequences, by the block where many are asked for: then rows that refer to each other go out together. */
export const createIdBlocks = (schema: string): Pick<Engine, "takeIds"> => {
  const blocks = new Map<string, Block>();
  return {
    async takeIds(db, table, count) {
      const now = performance.now();
      const block = blocks.get(table);
      const isFresh = block !== undefined && now - block.takenAt < goodForMs;
      if (isFresh && block.ids.length >= count) return block.ids.splice(0, count);
      const wanted = count + (isFresh ? spare : 0);
      const { rows } = await sql<{ id: number }>`
        select nextval(pg_get_serial_sequence(${`"${schema}"."${table}"`}, 'id')) as id
        from generate_series(1, ${wanted}::int)`.execute(db);
      const ids = rows.map(({ id }) => id);
      const taken = ids.splice(0, count);
      blocks.set(table, { ids, takenAt: now });
      return taken;
    },
  };
};
