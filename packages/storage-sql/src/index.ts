export { atomically } from "./atomically.ts";
export { type CopyOptions, CopyRefused, type CopySide, copyTables } from "./copy-tables.ts";
export { createRepositories } from "./create-repositories.ts";
export { clockOf, createHostTransaction, createSqlStorage, sideOf } from "./create-sql-storage.ts";
export type { Ddl, Engine, Handle, ValueType } from "./engine.ts";
export { portError } from "./port-error.ts";
export { type Prepared, prepared } from "./prepared.ts";
export type { Database } from "./tables.ts";
export { wordOfColumns, wordOfIndex } from "./unique-words.ts";
