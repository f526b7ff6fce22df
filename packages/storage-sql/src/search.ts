import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";

/** Condition that the column matches a pattern in which `!` escapes: databases disagree about a backslash within SQL. */
export const like = (column: Expression<unknown>, pattern: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${column} like ${pattern} escape '!'`;

/** A pattern for `like` that finds the text literally anywhere. */
export const anywhere = (text: string): string => `%${text.replace(/[!%_]/g, (letter) => `!${letter}`)}%`;

/** Condition that a column of texts in JavaScript's lower case contains `q` literally, in any case. */
export const contains = (column: string, q: string): RawBuilder<SqlBool> =>
  like(sql.ref(column), anywhere(q.toLowerCase()));
