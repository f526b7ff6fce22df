import type { Database } from "@posthorn/storage-sql";
import { CompiledQuery } from "kysely";
import type { JoinedTexts } from "./joined-texts.ts";

/** Writes that wait for others of the same turn. */
export interface JoinedWrites {
  add(query: CompiledQuery, table: keyof Database): void;
  /** Sends waiting writes. Call it before any statement that must come after them. */
  flush(): void;
  /** Returns waiting writes, with a statement to follow them, as the statements that they become, instead of sending them. */
  take(last?: CompiledQuery): readonly CompiledQuery[];
}

/**
 * Combines writes of one turn to different tables into one statement for `send`: the server answers once, and each
 * statement saved is a tenth of the cost of acceptance on both sides. A second write to a table goes into the next
 * statement, because one statement can write to a row only once.
 */
export const createJoinedWrites = (
  textOf: JoinedTexts,
  send: (query: CompiledQuery) => void,
): JoinedWrites => {
  let waiting: CompiledQuery[] = [];
  const tables = new Set<keyof Database>();
  const take = (last?: CompiledQuery): readonly CompiledQuery[] => {
    const queries = last === undefined ? waiting : [...waiting, last];
    waiting = [];
    tables.clear();
    const text = queries.length > 1 ? textOf(queries) : undefined;
    if (text === undefined) return queries;
    const parameters = queries.flatMap((query) => query.parameters);
    return [CompiledQuery.raw(text, parameters)];
  };
  const flush = (): void => {
    for (const query of take()) send(query);
  };
  return {
    add(query, table) {
      if (tables.has(table)) flush();
      tables.add(table);
      if (waiting.push(query) === 1) process.nextTick(flush);
    },
    flush,
    take,
  };
};
