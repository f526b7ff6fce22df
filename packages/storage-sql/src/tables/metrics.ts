import { bigint, table, text } from "./columns.ts";

export const metricTables = {
  mail_metrics: table(
    {
      /** 0 for the totals of all workspaces since the beginning. */
      workspace_id: bigint,
      /** Start of the hour, ms since the epoch. */
      hour: bigint,
      domain: text,
      metric: text,
      shard: bigint,
      total: bigint,
    },
    ["workspace_id", "hour", "domain", "metric", "shard"],
  ),
};
