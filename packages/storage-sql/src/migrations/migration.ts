import type { Ddl } from "../engine.ts";

/** The statements of a migration, in the engine's words. Never edited once released: its checksum is kept. */
export type Migration = (ddl: Ddl) => string[];
