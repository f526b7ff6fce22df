import { type RawBuilder, type SqlBool, sql } from "kysely";

/**
 * Condition of a deletion whose rows a subquery finds by the same time: who renews a row meanwhile is waited for, and
 * only the conditions outside of the subquery are then looked at again. No index is used for it.
 */
export const stillBefore = (column: string, before: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} + 0 < ${before}`;
