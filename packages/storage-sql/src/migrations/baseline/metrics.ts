import type { Migration } from "../migration.ts";

/**
 * Counts of mail by hour and domain, each the sum of its shards, as in `email_counts`. They outlive the e-mails and
 * their workspace.
 */
export const metrics: Migration = ({ table, bigint, bytewise, clustered }) => [
  `create table ${table("mail_metrics")} (
    workspace_id ${bigint} not null,
    hour ${bigint} not null,
    domain ${bytewise} not null,
    metric ${bytewise} not null,
    shard ${bigint} not null,
    total ${bigint} not null,
    primary key (workspace_id, hour, domain, metric, shard)
  ) ${clustered}`,
  `create index mail_metrics_turns on ${table("mail_metrics")} (workspace_id, hour, domain, metric, shard) where shard >= 128`,
  `create index mail_metrics_hour on ${table("mail_metrics")} (hour)`,
];
