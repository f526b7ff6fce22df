import type { Listing, ListPlace, Slice } from "@posthorn/core/storage";
import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { type ForHolder, mayBeLong } from "./deferred.ts";

/** The order of a log: by an integer column without duplicates, and by a time before it if there is one. */
interface Order extends ForHolder {
  column: string;
  time?: string | undefined;
  /**
   * A column before all others, of which the list has one value. Only an index that begins with it has this order, so
   * that no planner reads everything in the order of the keys.
   */
  within?: { column: string; value: string } | undefined;
  /** Whether all matching rows are found first, and then sorted: no planner reads others in the order of the keys. */
  isSorted?: boolean | undefined;
  /** Default: newest first. */
  direction?: "asc" | "desc";
}

/**
 * Rows of a page of a log, in its order, and one more, which shows whether others follow. After a position (`after`) no
 * earlier rows are read.
 */
export function rangeOf<DB, TB extends keyof DB, O>(
  rows: SelectQueryBuilder<DB, TB, O>,
  { after, offset, limit }: Slice,
  { time, within, direction = "desc", holder, ...keys }: Order,
): SelectQueryBuilder<DB, TB, O> {
  const key = keyOf(keys);
  const than = sql.raw(direction === "asc" ? ">" : "<");
  const behind = (place: ListPlace) => {
    if (within !== undefined)
      return sql<SqlBool>`(${sql.ref(within.column)}, ${key}) ${than} (${within.value}, ${place.key})`;
    return time === undefined || place.time === undefined
      ? sql<SqlBool>`${key} ${than} ${place.key}`
      : sql<SqlBool>`(${sql.ref(time)}, ${key}) ${than} (${place.time}, ${place.key})`;
  };
  let from = after === undefined ? rows.offset(offset) : rows.where(behind(after));
  if (within !== undefined) {
    const { column, value } = within;
    // Compared as a range: the planner leaves a column that is equal to a value out of the order.
    from = from.where(sql<SqlBool>`${sql.ref(column)} >= ${value} and ${sql.ref(column)} <= ${value}`);
  }
  for (const before of [within?.column, time])
    if (before !== undefined) from = from.orderBy(sql.ref(before), direction);
  return from
    .orderBy(key, direction)
    .limit(limit + 1)
    .withPlugin(mayBeLong({ holder }));
}

/** Whether rows of the list are skipped: if others are joined to them, those of the page alone should be. */
export const skipsRows = ({ after, offset }: Slice): boolean => after === undefined && offset > 0;

/** The key by which the rows are ordered. */
export const keyOf = ({ column, isSorted }: Pick<Order, "column" | "isSorted">) =>
  isSorted === true ? sql<number>`${sql.ref(column)} + 0` : sql<number>`${sql.ref(column)}`;

/**
 * The answer for a page. The total is counted on the first page, and carried along in the position of the next. Where the
 * page has the list's end, it tells the total: to find a few among many, the count would read as far again.
 */
export async function answerRange<R, T>(
  { after, offset, limit }: Slice,
  rows: readonly R[],
  {
    found = rows.length,
    keyOf,
    timeOf,
    toItem,
    count,
  }: {
    /** Number of rows that were found, if those that were deleted since are missing. */
    found?: number;
    keyOf: (row: R) => number;
    /** If the order has a time before the key. */
    timeOf?: ((row: R) => number) | undefined;
    toItem: (row: R) => T;
    count: () => Promise<number>;
  },
): Promise<Listing<T>> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const isEnd = found <= limit;
  const endsHere = isEnd && (offset === 0 || found > 0);
  const total = after?.total ?? (endsHere ? offset + found : await count());
  return {
    items: shown.map(toItem),
    total,
    after: last === undefined || isEnd ? undefined : { key: keyOf(last), time: timeOf?.(last), total },
  };
}

/** A page of a list ordered by its rows' `id`, as most are; `column` is the id's name in the query. */
export async function listById<DB, TB extends keyof DB, R extends { id: number }, T>(
  query: SelectQueryBuilder<DB, TB, R>,
  slice: Slice,
  {
    column = "id",
    within,
    holder,
    ...answer
  }: ForHolder &
    Pick<Order, "within"> & { column?: string; toItem: (row: R) => T; count: () => Promise<number> },
): Promise<Listing<T>> {
  const rows = (await rangeOf(query, slice, { column, within, holder }).execute()) as R[];
  return answerRange(slice, rows, { ...answer, keyOf: ({ id }) => id });
}

/** The number of rows; or of distinct values of `column`, if rows can repeat. */
export async function countOf<DB, TB extends keyof DB>(
  rows: SelectQueryBuilder<DB, TB, object>,
  { column, isSorted, holder }: ForHolder & { column?: string | undefined; isSorted?: boolean | undefined },
): Promise<number> {
  const counted = await rows
    .select(
      (column === undefined ? sql`count(*)` : sql`count(distinct ${keyOf({ column, isSorted })})`).as(
        "total",
      ),
    )
    .withPlugin(mayBeLong({ holder }))
    .executeTakeFirst();
  return Number((counted as { total?: number } | undefined)?.total ?? 0);
}
