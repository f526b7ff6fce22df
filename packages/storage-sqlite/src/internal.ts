/** Used by the command line, beyond what hosts use. It may change in any version. */
export { holdsOthersOnly, isForeignFile } from "./file/is-foreign-file.ts";
export { isSqliteInUse } from "./file/is-sqlite-in-use.ts";
