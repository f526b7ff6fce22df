import type { Migration } from "../migration.ts";

/** Domains that workspaces send from, and the keys that sign their mail. */
export const domains: Migration = ({ table, id, bigint, boolean }) => [
  `create table ${table("domains")} (
      id ${id},
      uuid text not null unique,
      workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
      name text not null,
      organisation text not null,
      token text not null,
      status text not null,
      status_since ${bigint} not null,
      status_reason text not null,
      include_subdomains ${boolean} not null,
      return_path text not null,
      return_path_domain text not null,
      return_path_verified ${boolean} not null,
      tracking text,
      tracking_domain text,
      tracking_verified ${boolean} not null,
      tls text not null,
      records text not null,
      verified_at ${bigint},
      checked_at ${bigint},
      next_check_at ${bigint},
      rotation_told_at ${bigint},
      created_at ${bigint} not null,
      updated_at ${bigint} not null
    )`,
  `create index domains_workspace on ${table("domains")} (workspace_id, id)`,
  `create unique index domains_name on ${table("domains")} (workspace_id, name)`,
  // Expressions, of which PostgreSQL has statistics of their own: with a partial index it takes a name that many claim for one of many rows.
  `create index domains_return_path on ${table("domains")} ((case when return_path_verified then return_path_domain end))`,
  `create index domains_tracking on ${table("domains")} ((case when tracking_verified then tracking_domain end))`,
  `create index domains_due on ${table("domains")} (next_check_at) where next_check_at is not null`,
  `create table ${table("domain_keys")} (
      id ${id},
      domain_id ${bigint} not null references ${table("domains")} (id) on delete cascade,
      selector text not null,
      algorithm text not null,
      private_key text not null,
      public_key text not null,
      state text not null,
      is_published ${boolean} not null,
      created_at ${bigint} not null,
      activated_at ${bigint},
      retired_at ${bigint}
    )`,
  `create unique index domain_keys_selector on ${table("domain_keys")} (domain_id, selector)`,
  `create unique index domain_keys_active on ${table("domain_keys")} (domain_id, algorithm) where state = 'active'`,
];
