/** Used by the command line, beyond what hosts use. It may change in any version. */
export { holdsOthersOnly, isForeignFile } from "./is-foreign-file.ts";
export { isSqliteInUse } from "./is-sqlite-in-use.ts";
