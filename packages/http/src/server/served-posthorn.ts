import type { Counters, Posthorn } from "@posthorn/core";

/** The parts of the service that the HTTP interface needs. */
export type ServedPosthorn = Pick<
  Posthorn,
  | "config"
  | "logger"
  | "execute"
  | "authenticateUser"
  | "authenticateApiKey"
  | "expectApiKey"
  | "admit"
  | "isOwnToken"
  | "followLink"
  | "recordOpen"
  | "followEventBatches"
  | "queueStatus"
  | "mailTotals"
  | "now"
  | "ping"
> & {
  /** Counters of this process's workers, in any thread. */
  counters(): Counters | Promise<Counters>;
};
