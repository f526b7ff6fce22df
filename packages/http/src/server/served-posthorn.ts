import type { Counters, Posthorn } from "@posthorn/core";

/** What the HTTP interface needs of the service. */
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
  | "followEvents"
  | "queueStatus"
  | "mailTotals"
  | "now"
  | "ping"
> & {
  /** What the workers of this process did, in whatever thread. */
  counters(): Counters | Promise<Counters>;
};
