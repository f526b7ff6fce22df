import type { Migration } from "../migration.ts";

/**
 * Reports about e-mails that came back. Like other rows that follow delivery, a report has no foreign key to the
 * e-mail: `emails/remove.ts` removes it.
 */
export const reports: Migration = ({ table, id, bigint, bytewise, boolean, clustered }) => [
  `create table ${table("recipient_reports")} (
    email_id ${bigint} not null,
    position ${bigint} not null,
    kind ${bytewise} not null,
    bounce_class text not null,
    category text not null,
    enhanced_code text,
    reply text not null,
    source text not null,
    is_believed ${boolean} not null,
    at ${bigint} not null,
    primary key (email_id, position, kind)
  ) ${clustered}`,
  `create table ${table("bounce_days")} (
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    address_key ${bytewise} not null,
    category ${bytewise} not null,
    day ${bigint} not null,
    first_at ${bigint} not null,
    primary key (workspace_id, address_key, category, day)
  ) ${clustered}`,
  `create index bounce_days_age on ${table("bounce_days")} (day)`,
  `create table ${table("inbound_reports")} (
    id ${id},
    uuid text not null unique,
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    kind text not null,
    source text not null,
    digest text not null,
    email_id text,
    effects text not null,
    raw text not null,
    created_at ${bigint} not null
  )`,
  `create table ${table("inbound_endpoints")} (
    id ${id},
    uuid text not null unique,
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    provider text not null,
    token_digest text not null unique,
    secret text,
    created_at ${bigint} not null
  )`,
  `create index inbound_endpoints_workspace on ${table("inbound_endpoints")} (workspace_id, id)`,
  `create unique index inbound_reports_digest on ${table("inbound_reports")} (workspace_id, digest)`,
  `create index inbound_reports_workspace on ${table("inbound_reports")} (workspace_id, id)`,
  `create index inbound_reports_age on ${table("inbound_reports")} (created_at)`,
  `create index inbound_reports_email on ${table("inbound_reports")} (email_id) where email_id is not null`,
];
