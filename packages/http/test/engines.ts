import type { Storage } from "@posthorn/core";
import { openTestPostgres } from "../../storage-postgres/test/open-test-storage.ts";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";

/** A storage engine on which the documented API must behave the same. */
export interface Engine {
  name: string;
  open(): Promise<Storage>;
}

/** All engines. */
export const engines: Engine[] = [
  { name: "SQLite", open: () => openTestSqlite() },
  { name: "PostgreSQL", open: () => openTestPostgres() },
];
