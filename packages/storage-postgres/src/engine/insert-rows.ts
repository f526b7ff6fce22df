import { deferredWrite, type Engine, type ValueType } from "@posthorn/storage-sql";
import { CompiledQuery } from "kysely";
import { eventMark } from "./event-marks.ts";
import { quoted, quotedTable } from "./quoted.ts";
import { columnOf } from "./values-table.ts";

type Types = Readonly<Record<string, ValueType>>;

/** The text of an insert, built once per constant of columns: one for a single row, one for any other number. */
const createInsertText = (schema: string) => {
  const build = (table: string, types: Types, isSingle: boolean): string => {
    const names = Object.keys(types).map(quoted);
    const values = Object.values(types).map((type, index) => `$${index + 1}::${type}${isSingle ? "" : "[]"}`);
    const source = isSingle ? values.join(", ") : `* from unnest(${values.join(", ")})`;
    const condition = table === "events" ? ` where ${eventMark(schema)}` : "";
    return `insert into ${quotedTable(schema, table)} (${names.join(", ")}) select ${source}${condition}`;
  };
  const texts = new WeakMap<Types, Map<string, string>>();
  return (table: string, types: Types, isSingle: boolean): string => {
    const made = texts.get(types) ?? new Map<string, string>();
    texts.set(types, made);
    const key = isSingle ? table : `${table}[]`;
    const text = made.get(key) ?? build(table, types, isSingle);
    made.set(key, text);
    return text;
  };
};

/**
 * A single row goes as plain values: PostgreSQL would keep each column's array as a table of its own, which makes an
 * e-mail that is accepted alone cost it a third more.
 */
export const createInsertRows = (schema: string): Engine["insertRows"] => {
  const insertText = createInsertText(schema);
  return async (db, table, types, rows) => {
    const [first] = rows;
    if (first === undefined) return;
    const isSingle = rows.length === 1;
    const columns = Object.keys(types);
    const values = columns.map((column) => (isSingle ? (first[column] ?? null) : columnOf(rows, column)));
    // The result is not needed: the next statement or the commit reports an error.
    const query = CompiledQuery.raw(insertText(table, types, isSingle), values);
    await db.executeQuery(deferredWrite(query, table));
  };
};
