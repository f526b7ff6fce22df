export interface MailMetricsTable {
  /** 0 for all of them, since the beginning. */
  workspace_id: number;
  /** Its start, ms. */
  hour: number;
  domain: string;
  metric: string;
  shard: number;
  total: number;
}

export interface MetricTables {
  mail_metrics: MailMetricsTable;
}
