import type { InsertType, Selectable } from "kysely";
import { accountTables } from "./tables/accounts.ts";
import { attachmentTables } from "./tables/attachments.ts";
import { campaignTables } from "./tables/campaigns.ts";
import type { RowsOf, ValueType } from "./tables/columns.ts";
import { domainTables } from "./tables/domains.ts";
import { emailTables } from "./tables/emails.ts";
import { erasureTables } from "./tables/erasures.ts";
import { eventTables } from "./tables/events.ts";
import { importTables } from "./tables/imports.ts";
import { metricTables } from "./tables/metrics.ts";
import { queueTables } from "./tables/queue.ts";
import { reportTables } from "./tables/reports.ts";
import { smtpServerTables } from "./tables/smtp-servers.ts";
import { suppressionTables } from "./tables/suppressions.ts";
import { templateTables } from "./tables/templates.ts";
import { trackingTables } from "./tables/tracking.ts";

/**
 * All tables with their columns: Kysely's types, bulk inserts and copies between databases are derived from this. Times
 * are ms since the epoch, JSON is text, absence is `null`. The migrations create the tables.
 */
export const tables = {
  ...accountTables,
  ...templateTables,
  ...attachmentTables,
  ...emailTables,
  ...campaignTables,
  ...erasureTables,
  ...metricTables,
  ...eventTables,
  ...queueTables,
  ...reportTables,
  ...trackingTables,
  ...smtpServerTables,
  ...suppressionTables,
  ...importTables,
  ...domainTables,
};

type Tables = typeof tables;
export type TableName = keyof Tables;
export type ColumnName<T extends TableName> = keyof Tables[T]["columns"] & string;

type AllRows = { [T in TableName]: RowsOf<Tables[T]> };
/** All tables, in Kysely's types. */
export interface Database extends AllRows {}

/** A row as read. */
export type Row<T extends TableName> = Selectable<Database[T]>;

/** A row for a bulk insert with these columns. */
export type NewRow<T extends TableName, C extends ColumnName<T> = ColumnName<T>> = {
  readonly [K in C]: Exclude<InsertType<Database[T][K & keyof Database[T]]>, undefined>;
};

/** Columns of a table with their types, all or those named, for bulk inserts. */
export const columnsOf = <T extends TableName, C extends ColumnName<T> = ColumnName<T>>(
  name: T,
  only: readonly C[] = Object.keys(tables[name].columns) as C[],
): Readonly<Record<C, ValueType>> => {
  const columns: Readonly<Record<string, { type: ValueType }>> = tables[name].columns;
  return Object.fromEntries(only.map((column) => [column, columns[column]?.type])) as Record<C, ValueType>;
};
