import type { Migration } from "../migration.ts";

/** Addresses that a workspace does not send to (platform.md P8). */
export const suppressions: Migration = ({ table, id, bigint, bytewise }) => [
  `create table ${table("suppressions")} (
    id ${id},
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    scope text not null,
    address_key ${bytewise} not null,
    domain_key ${bytewise} not null,
    address text not null,
    origin text not null,
    reason text not null,
    email_id text,
    created_by ${bigint} references ${table("users")} (id) on delete set null,
    created_at ${bigint} not null,
    expires_at ${bigint},
    -- How often it was replaced by one that lasts longer.
    replaced ${bigint} not null,
    -- Of the one that it replaced: an upsert returns only what it writes.
    former_origin text,
    former_expires_at ${bigint},
    -- Of the one that an unsubscription replaced, which can be undone.
    former_reason text,
    former_email_id text,
    former_created_by ${bigint} references ${table("users")} (id) on delete set null,
    former_created_at ${bigint}
  )`,
  // The address comes first, because each send checks whether it has any entry, whatever the scope.
  `create unique index suppressions_address on ${table("suppressions")} (workspace_id, address_key, scope)`,
  `create index suppressions_domain on ${table("suppressions")} (workspace_id, domain_key)`,
  // With what a list is filtered by, so that neither it nor its count reads the entries that don't match.
  `create index suppressions_workspace on ${table("suppressions")} (workspace_id, id, expires_at, origin, scope, created_at)`,
  `create index suppressions_expiry on ${table("suppressions")} (expires_at) where expires_at is not null`,
  `create index suppressions_creator on ${table("suppressions")} (created_by) where created_by is not null`,
  `create index suppressions_former_creator on ${table("suppressions")} (former_created_by) where former_created_by is not null`,
];
