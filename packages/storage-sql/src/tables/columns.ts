import type { ColumnType, Generated } from "kysely";

/** What a value is when it goes to the engine in bulk. */
export type ValueType = "bigint" | "text" | "boolean";

/** A column: its type in every engine, and `T`, what Kysely reads of it and writes to it. */
export interface Column<T> {
  readonly type: ValueType;
  readonly isNullable: boolean;
  /** Whether the schema fills it where an insert leaves it out. */
  readonly hasDefault: boolean;
  /** Never there: it carries the type. */
  readonly value?: T;
}

/** A truth value: `boolean` or 0/1, as the engine answers. Read it with `Boolean()`. */
type Flag = ColumnType<boolean | number, boolean, boolean>;

const column = <T>(type: ValueType): Column<T> => ({ type, isNullable: false, hasDefault: false });

export const bigint = column<number>("bigint");
export const text = column<string>("text");
export const flag = column<Flag>("boolean");

/** A column that may be `null`. */
export const orNull = <T>({ type, hasDefault }: Column<T>): Column<T | null> => ({
  type,
  hasDefault,
  isNullable: true,
});

/** A column that the schema fills where an insert leaves it out. */
export const withDefault = <T>({ type, isNullable }: Column<T>): Column<Generated<T>> => ({
  type,
  isNullable,
  hasDefault: true,
});

/** A sequential key that the engine makes. */
export const id = withDefault(bigint);

/** The columns of a table by their names. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** A table. */
export interface Table<C extends Columns> {
  readonly columns: C;
  /** The columns of its primary key. */
  readonly key: readonly (keyof C & string)[];
}

/** Describes a table: its columns, and those of its primary key. */
export const table = <C extends Columns>(
  columns: C,
  key: readonly (keyof NoInfer<C> & string)[] = ["id"],
): Table<C> => ({ columns, key });

/** A table as Kysely sees it. */
export type RowsOf<T> =
  T extends Table<infer C> ? { [K in keyof C]: C[K] extends Column<infer V> ? V : never } : never;
