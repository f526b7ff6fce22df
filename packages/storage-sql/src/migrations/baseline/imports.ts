import type { Migration } from "../migration.ts";

/** Imports of list files under way (platform.md P8, P9). */
export const imports: Migration = ({ table, bigint, bytewise }) => [
  `create table ${table("list_imports")} (
    name ${bytewise} primary key,
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    event text not null,
    count ${bigint} not null,
    added_at ${bigint} not null
  )`,
  `create index list_imports_workspace on ${table("list_imports")} (workspace_id)`,
  `create index list_imports_age on ${table("list_imports")} (added_at)`,
];
