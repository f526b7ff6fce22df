export { assertNodeVersion } from "./assert-node-version.ts";
export { atomically } from "./atomically.ts";
export { codeOf } from "./code-of.ts";
export { type CopyOptions, CopyRefused, type CopySide, copyTables } from "./copy-tables.ts";
export { createDriver, type DriverConnection, noStream } from "./create-driver.ts";
export { createAllRepositories, createRepositories } from "./create-repositories.ts";
export { createHostTransaction, createSqlStorage, sideOf } from "./create-sql-storage.ts";
export {
  type BriefRead,
  briefReadOf,
  confirming,
  deferred,
  deferredWrite,
  isBrief,
  isConfirming,
  isDeferred,
  longReadHolder,
  tableWritten,
} from "./deferred.ts";
export type {
  ClaimedRow,
  Ddl,
  Engine,
  Handle,
  ItemKey,
  QueueClaim,
  QueuePart,
  QueueRow,
  QueueStart,
  QuotaLeases,
  TakenItem,
} from "./engine.ts";
export { shardsOfTurn } from "./fold-counters.ts";
export { createHandleOn, rootHandle } from "./handle-on.ts";
export { enterBySign, lineOf } from "./host-lines.ts";
export { createMutex } from "./mutex.ts";
export { never } from "./never.ts";
export { madeOf } from "./parameters.ts";
export { portError } from "./port-error.ts";
export { type Prepared, prepared } from "./prepared.ts";
export { claimInSteps } from "./repositories/queue/email-queue/claim-in-steps.ts";
export { takeInSteps } from "./repositories/queue/email-queue/take-in-steps.ts";
export { createQuotaLeases } from "./repositories/workspaces/usage/create-quota-leases.ts";
export { withoutLeases } from "./repositories/workspaces/usage/without-leases.ts";
export { runOnLeases } from "./run-on-leases.ts";
export { choiceOf, isShared, leastSharing, sharedBy, type ValueRows } from "./shared-columns.ts";
export { tableEnds } from "./table-ends.ts";
export { tableNames } from "./table-names.ts";
export type { ValueType } from "./tables/columns.ts";
export type { Database } from "./tables.ts";
export { wordOfColumns, wordOfIndex } from "./unique-words.ts";
