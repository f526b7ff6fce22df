import type { Posthorn } from "@posthorn/core";

/** What the HTTP interface needs of the service. */
export type ServedPosthorn = Pick<
  Posthorn,
  | "config"
  | "counters"
  | "logger"
  | "execute"
  | "authenticateUser"
  | "authenticateApiKey"
  | "admit"
  | "isOwnToken"
  | "followEvents"
  | "queueStatus"
  | "mailTotals"
  | "now"
  | "ping"
>;
