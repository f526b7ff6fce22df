import type { Engine, Handle } from "@posthorn/storage-sql";
import { CompiledQuery } from "kysely";
import type { Timeline } from "./timeline.ts";

/** Spare ids that a busy process reserves beyond those requested. */
const spare = 256;
/** Ms for which spare ids are used: ids roughly reflect the order in which rows were created. */
const goodForMs = 1_000;

interface Block {
  ids: number[];
  takenAt: number;
}

interface IdBlocks extends Pick<Engine, "reserveIds"> {
  /** Returns ascending ids for rows to be inserted. */
  takeIds(db: Handle, table: string, count: number): Promise<number[]>;
}

/**
 * Reserves ids of tables' sequences, in blocks if many are needed: rows that refer to each other can then be sent
 * together.
 */
export const createIdBlocks = (schema: string, timeline: Timeline): IdBlocks => {
  const blocks = new Map<string, Block>();
  const reserving = new Map<string, Promise<void>>();

  const freshBlock = (table: string): Block | undefined => {
    const block = blocks.get(table);
    return block !== undefined && performance.now() - block.takenAt < goodForMs ? block : undefined;
  };
  const read = async (db: Handle, table: string, count: number): Promise<number[]> => {
    // A single value, because one row per id would cost both sides more than taking the ids.
    const { rows } = await db.executeQuery<{ ids: string; timeline: string | null }>(
      CompiledQuery.raw(
        `select string_agg(nextval('"${schema}"."${table}_id_seq"'::regclass)::text, ',') as ids, ${timeline.text()} as timeline from generate_series(1, $1::int)`,
        [count],
      ) as CompiledQuery<{ ids: string; timeline: string | null }>,
    );
    const [row] = rows;
    if (row === undefined) return [];
    if (!(await timeline.isNew(db, row.timeline))) return row.ids.split(",").map(Number);
    blocks.clear();
    return read(db, table, count);
  };
  /** Requests that many, and as many more as a busy process will need; keeps those beyond `count`. */
  const ask = async (db: Handle, table: string, count: number, kept: number): Promise<number[]> => {
    const wanted = count + kept + (freshBlock(table) === undefined ? 0 : spare);
    const takenAt = performance.now();
    const ids = await read(db, table, wanted);
    const taken = ids.splice(0, count);
    blocks.set(table, { ids, takenAt });
    return taken;
  };

  return {
    async takeIds(db, table, count) {
      const block = freshBlock(table);
      return block !== undefined && block.ids.length >= count
        ? block.ids.splice(0, count)
        : ask(db, table, count, 0);
    },
    async reserveIds(db, table, count) {
      if ((freshBlock(table)?.ids.length ?? 0) >= count) return;
      const reserve = async () => {
        // The insert requests ids again, and gets the error then.
        await ask(db, table, 0, count).catch(() => {});
        reserving.delete(table);
      };
      const coming = reserving.get(table) ?? reserve();
      reserving.set(table, coming);
      await coming;
    },
  };
};
