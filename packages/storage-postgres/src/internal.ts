/** Used by the command line, beyond what hosts use. It may change in any version. */
export { examinePostgres, type PostgresState } from "./server/examine-postgres.ts";
