/** What the command line asks of the storage beyond what a host uses. It may change with any version. */
export { isSqliteInUse } from "./is-sqlite-in-use.ts";
