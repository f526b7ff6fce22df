import type { ColumnType, Generated } from "kysely";

/** A truth value: `boolean` or 0/1, as the engine answers. Read it with `Boolean()`. */
export type Flag = ColumnType<boolean | number, boolean, boolean>;

/** A sequential key that the engine makes. */
export type Id = Generated<number>;
