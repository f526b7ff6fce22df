import { sql } from "kysely";

/**
 * The order of a few rows by their number, of which the first is wanted. Not by the column alone: without statistics,
 * PostgreSQL would read the whole table in its order.
 */
export const byNumber = sql`id + 0`;
