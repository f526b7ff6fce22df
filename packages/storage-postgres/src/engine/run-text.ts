import type { Handle } from "@posthorn/storage-sql";
import { CompiledQuery } from "kysely";

/** Runs SQL as it is written, and returns its rows, which the caller knows the columns of. */
export const runText = async <Row>(db: Handle, text: string, values: unknown[]): Promise<Row[]> =>
  (await db.executeQuery(CompiledQuery.raw(text, values) as CompiledQuery<Row>)).rows;
