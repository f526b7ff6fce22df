import type { Migration } from "../migration.ts";

/** Addresses that are being erased (platform.md P12). A row is deleted once no trace of its address is left. */
export const erasures: Migration = ({ table, id, bigint }) => [
  `create table ${table("erasures")} (
    id ${id},
    uuid text not null unique,
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    address text not null,
    address_key text not null,
    erased_as text not null,
    stage text not null,
    cursor_position text not null,
    emails ${bigint} not null,
    campaigns ${bigint} not null,
    events ${bigint} not null,
    requested_at ${bigint} not null,
    due_at ${bigint} not null
  )`,
  `create unique index erasures_address on ${table("erasures")} (workspace_id, address_key)`,
  `create index erasures_due on ${table("erasures")} (due_at)`,
  // Each claim of e-mails asks whether there is one.
  `create index erasures_of_emails on ${table("erasures")} (due_at) where stage = 'emails'`,
];
