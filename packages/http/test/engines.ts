import type { Storage } from "@posthorn/core";
import { openTestPostgres } from "../../storage-postgres/test/open-test-storage.ts";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";

/** A storage engine that the documented surface must be the same on. */
export interface Engine {
  name: string;
  open(): Promise<Storage>;
}

/** Every engine there is. */
export const engines: Engine[] = [
  { name: "SQLite", open: () => openTestSqlite() },
  { name: "PostgreSQL", open: () => openTestPostgres() },
];
