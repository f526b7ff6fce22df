import type { Handle } from "@posthorn/storage-sql";
import { CompiledQuery } from "kysely";

/** Runs SQL that names things, on a storage's connections. */
export const askNames =
  (db: Handle) =>
  async (text: string, values: unknown[]): Promise<{ name: string }[]> =>
    (await db.executeQuery(CompiledQuery.raw(text, values) as CompiledQuery<{ name: string }>)).rows;
