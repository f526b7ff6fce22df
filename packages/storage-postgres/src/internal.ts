/** What the command line asks of the storage beyond what a host uses. It may change with any version. */
export { examinePostgres, type PostgresState } from "./examine-postgres.ts";
