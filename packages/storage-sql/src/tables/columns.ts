import type { ColumnType, Generated } from "kysely";

/** Type of a value in bulk inserts. */
export type ValueType = "bigint" | "text" | "boolean";

/** A column: its type in each engine, and `T`, the type that Kysely reads and writes. */
export interface Column<T> {
  readonly type: ValueType;
  readonly isNullable: boolean;
  /** Whether the schema has a default for inserts without it. */
  readonly hasDefault: boolean;
  /** Never set: it carries the type. */
  readonly value?: T;
}

/** A boolean, which engines answer as `boolean` or 0/1. Read it with `Boolean()`. */
type Flag = ColumnType<boolean | number, boolean, boolean>;

const column = <T>(type: ValueType): Column<T> => ({ type, isNullable: false, hasDefault: false });

export const bigint = column<number>("bigint");
export const text = column<string>("text");
export const flag = column<Flag>("boolean");

/** A nullable column. */
export const orNull = <T>({ type, hasDefault }: Column<T>): Column<T | null> => ({
  type,
  hasDefault,
  isNullable: true,
});

/** A column with a default in the schema. */
export const withDefault = <T>({ type, isNullable }: Column<T>): Column<Generated<T>> => ({
  type,
  isNullable,
  hasDefault: true,
});

/** A sequential key that the engine assigns. */
export const id = withDefault(bigint);

/** Columns of a table by name. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** A table with its columns and key. */
export interface Table<C extends Columns> {
  readonly columns: C;
  /** The columns of its primary key. */
  readonly key: readonly (keyof C & string)[];
}

/** Describes a table: its columns and primary key. */
export const table = <C extends Columns>(
  columns: C,
  key: readonly (keyof NoInfer<C> & string)[] = ["id"],
): Table<C> => ({ columns, key });

/** A table in Kysely's types. */
export type RowsOf<T> =
  T extends Table<infer C> ? { [K in keyof C]: C[K] extends Column<infer V> ? V : never } : never;
