import type { Listing, Slice } from "@posthorn/core/storage";
import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { type ForHolder, mayBeLong } from "./deferred.ts";

/** The order of a log: by an integer column without duplicates. */
interface Order extends ForHolder {
  column: string;
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
  { column, direction = "desc", holder }: Order,
): SelectQueryBuilder<DB, TB, O> {
  const key = sql.ref(column);
  const from =
    after === undefined
      ? rows.offset(offset)
      : rows.where(
          direction === "asc" ? sql<SqlBool>`${key} > ${after.key}` : sql<SqlBool>`${key} < ${after.key}`,
        );
  return from
    .orderBy(key, direction)
    .limit(limit + 1)
    .withPlugin(mayBeLong({ holder }));
}

/** The answer for a page. The total is counted on the first page, and carried along in the position of the next. */
export async function answerRange<R, T>(
  { after, limit }: Slice,
  rows: readonly R[],
  {
    keyOf,
    toItem,
    count,
  }: { keyOf: (row: R) => number; toItem: (row: R) => T; count: () => Promise<number> },
): Promise<Listing<T>> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const total = after?.total ?? (await count());
  return {
    items: shown.map(toItem),
    total,
    after: last === undefined || rows.length <= limit ? undefined : { key: keyOf(last), total },
  };
}

/** A page of a list ordered by its rows' `id`, as most are; `column` is the id's name in the query. */
export async function listById<DB, TB extends keyof DB, R extends { id: number }, T>(
  query: SelectQueryBuilder<DB, TB, R>,
  slice: Slice,
  {
    column = "id",
    holder,
    ...answer
  }: ForHolder & { column?: string; toItem: (row: R) => T; count: () => Promise<number> },
): Promise<Listing<T>> {
  const rows = (await rangeOf(query, slice, { column, holder }).execute()) as R[];
  return answerRange(slice, rows, { ...answer, keyOf: ({ id }) => id });
}

/** The number of rows; or of distinct values of `column`, if rows can repeat. */
export async function countOf<DB, TB extends keyof DB>(
  rows: SelectQueryBuilder<DB, TB, object>,
  { column, holder }: ForHolder & { column?: string | undefined },
): Promise<number> {
  const counted = await rows
    .select((column === undefined ? sql`count(*)` : sql`count(distinct ${sql.ref(column)})`).as("total"))
    .withPlugin(mayBeLong({ holder }))
    .executeTakeFirst();
  return Number((counted as { total?: number } | undefined)?.total ?? 0);
}
