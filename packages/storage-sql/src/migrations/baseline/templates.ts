import type { Migration } from "../migration.ts";

/** Contents, templates, versions, stylesheets. */
export const templates: Migration = ({ table, id, lastingId, bigint }) => [
  `create table ${table("contents")} (
    id ${lastingId},
    hash text not null,
    subject text not null,
    html text not null,
    text text not null
  )`,
  `create index contents_hash on ${table("contents")} (hash)`,
  `create table ${table("templates")} (
    id ${id},
    uuid text not null unique,
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    name text not null,
    description text not null,
    default_language text not null,
    active_version_id ${bigint},
    next_version ${bigint} not null default 1,
    created_at ${bigint} not null,
    updated_at ${bigint} not null
  )`,
  `create unique index templates_name on ${table("templates")} (workspace_id, name)`,
  `create index templates_workspace on ${table("templates")} (workspace_id, id)`,
  `create table ${table("template_versions")} (
    id ${id},
    uuid text not null unique,
    template_id ${bigint} not null references ${table("templates")} (id) on delete cascade,
    number ${bigint} not null,
    note text not null,
    sample_data text not null,
    content_id ${bigint} not null references ${table("contents")} (id),
    created_at ${bigint} not null,
    updated_at ${bigint} not null
  )`,
  `create unique index template_versions_number on ${table("template_versions")} (template_id, number)`,
  `create index template_versions_content on ${table("template_versions")} (content_id)`,
  `create table ${table("stylesheets")} (
    id ${id},
    uuid text not null unique,
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    name text not null,
    css text not null,
    created_at ${bigint} not null,
    updated_at ${bigint} not null
  )`,
  `create unique index stylesheets_name on ${table("stylesheets")} (workspace_id, name)`,
  `create index stylesheets_workspace on ${table("stylesheets")} (workspace_id, id)`,
];
