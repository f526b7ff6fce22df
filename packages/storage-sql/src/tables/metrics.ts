import { bigint, table, text } from "./columns.ts";

export const metricTables = {
  mail_metrics: table(
    {
      /** 0 for all of them, since the beginning. */
      workspace_id: bigint,
      /** Its start, ms. */
      hour: bigint,
      domain: text,
      metric: text,
      shard: bigint,
      total: bigint,
    },
    ["workspace_id", "hour", "domain", "metric", "shard"],
  ),
};
