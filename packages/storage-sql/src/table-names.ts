import type { Ddl } from "./engine.ts";
import { migrations } from "./migrations/index.ts";
import type { Database } from "./tables.ts";

const words = {
  id: "",
  lastingId: "",
  bigint: "",
  bytewise: "",
  boolean: "",
  yes: "",
  no: "",
  clustered: "",
  updated: "",
  churned: "",
  unpacked: () => [],
};

/** The names of all tables, as the migrations create them. */
export const tableNames = (): Set<keyof Database> => {
  const names = new Set<keyof Database>(["schema_migrations"]);
  const table = (name: keyof Database): string => {
    names.add(name);
    return name;
  };
  const ddl: Ddl = { ...words, table, index: (name) => name };
  for (const migration of Object.values(migrations)) migration(ddl);
  return names;
};
