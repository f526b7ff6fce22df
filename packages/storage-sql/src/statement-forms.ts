import { type CompiledQuery, sql } from "kysely";
import type { Engine } from "./engine.ts";
import { madeOf, parameterName } from "./parameters.ts";
import { allColumns, choiceOf, leastSharing, sharedBy, type ValueRows } from "./shared-columns.ts";

/** The compiled query for the values of an execution. */
export type Forms<R> = (values: object) => CompiledQuery<R>;

/** Maximum length of a list whose values are parameters of their own, if the engine prefers that. */
const fewValues = 4;
/** Maximum choices of such values for a table, a single row and none included: a prepared statement takes some KB. */
const maxShares = 5;

/** A table of values in a query. */
interface ValuesTable {
  name: string;
  columns: readonly string[];
  /** The choices of shared columns that have a form, a bit for each column: none first. */
  shares: number[];
}

/** What of an execution's values its form depends on. */
interface Shape {
  /** The length of a list that has few values, else 0. */
  countOf(list: string): number;
  /** The columns of a table of values that are bound once. */
  sharedOf(table: ValuesTable): number;
}

/**
 * Compiles a query in as many forms as it is needed in. If the engine has a cheaper test for a list of few values, there is a form for
 * each choice of such lengths: no query has more than two such lists, so there are 25 at most. If it binds values that all rows of a
 * table share only once, there are at most five forms for that.
 */
export function formsOf<R>(engine: Engine, compile: (engine: Engine) => CompiledQuery<R>): Forms<R> {
  const { isOneOf, sharingTable } = engine;
  if (isOneOf === undefined || sharingTable === undefined) {
    const query = compile(engine);
    return () => query;
  }
  const lists: string[] = [];
  const tables: ValuesTable[] = [];
  const compileFor = ({ countOf, sharedOf }: Shape): CompiledQuery<R> => {
    const valuesBy =
      (make: Engine["valuesTable"]): Engine["valuesTable"] =>
      (alias, types, rows) => {
        const name = parameterName(rows);
        if (name === undefined) return make(alias, types, rows);
        const columns = Object.keys(types);
        let table = tables.find((one) => one.name === name && one.columns.join() === columns.join());
        if (table === undefined) {
          table = { name, columns, shares: [0] };
          tables.push(table);
        }
        const shared = sharedOf(table);
        return shared === 0 ? make(alias, types, rows) : sharingTable(alias, types, rows, shared);
      };
    return compile({
      ...engine,
      anyOf(column, values, type) {
        const name = type === undefined ? undefined : parameterName(values);
        if (name === undefined) return engine.anyOf(column, values, type);
        if (!lists.includes(name)) lists.push(name);
        const count = countOf(name);
        if (count === 0) return engine.anyOf(column, values, type);
        const valueAt = (at: number) => sql`${madeOf(values, (given) => given[at])}`;
        return isOneOf(
          column,
          Array.from({ length: count }, (_, at) => valueAt(at)),
        );
      },
      valuesTable: valuesBy(engine.valuesTable),
      valuesToFind: valuesBy(engine.valuesToFind),
    });
  };
  const forms: (CompiledQuery<R> | undefined)[] = [compileFor({ countOf: () => 0, sharedOf: () => 0 })];
  return (values) => {
    const countOf = (name: string): number => {
      const count = (values as Record<string, readonly unknown[]>)[name]?.length ?? 0;
      return count <= fewValues ? count : 0;
    };
    let form = 0;
    for (let at = 0; at < lists.length; at += 1) form = form * (fewValues + 1) + countOf(lists[at] ?? "");
    const shares: number[] = [];
    for (const table of tables) {
      const share = shareOf(table, (values as Record<string, ValueRows>)[table.name] ?? []);
      form = form * maxShares + share;
      shares.push(share);
    }
    const known =
      forms[form] ??
      compileFor({ countOf, sharedOf: (table) => table.shares[shares[tables.indexOf(table)] ?? 0] ?? 0 });
    forms[form] = known;
    return known;
  };
}

/** Which of the table's choices fits the rows. */
function shareOf({ columns, shares }: ValuesTable, rows: ValueRows): number {
  if (rows.length !== 1 && rows.length < leastSharing) return 0;
  const shared = rows.length === 1 ? allColumns(columns.length) : sharedBy(rows, columns, 0, rows.length);
  // One is left for a single row.
  const room = rows.length === 1 || shares.includes(allColumns(columns.length)) ? maxShares : maxShares - 1;
  return choiceOf(shares, shared, room);
}
