import type { Posthorn as Service } from "@posthorn/core";

/** What the HTTP interface needs of the service. */
export type Posthorn = Pick<
  Service,
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
> & { readonly storage: Pick<Service["storage"], "ping"> };
