import type { Storage } from "@posthorn/core";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { openTestPostgres } from "../../storage-postgres/test/open-test-storage.ts";

/** A storage engine that the documented surface must be the same on. */
export interface Engine {
  name: string;
  open(): Promise<Storage>;
}

/** Every engine there is. */
export const engines: Engine[] = [
  { name: "SQLite", open: () => createSqliteStorage({ filename: ":memory:" }) },
  { name: "PostgreSQL", open: () => openTestPostgres() },
];
