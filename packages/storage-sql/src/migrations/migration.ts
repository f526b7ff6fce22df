import type { Ddl } from "../engine.ts";

/** The statements of a migration for an engine. Never edited once released: its checksum is stored. */
export type Migration = (ddl: Ddl) => string[];
