import { bigint, id, orNull, table, text, withDefault } from "./columns.ts";

export const templateTables = {
  contents: table({
    id,
    hash: text,
    subject: text,
    html: text,
    text: text,
  }),

  stylesheet_sets: table({
    id,
    hash: text,
    css: text,
  }),

  templates: table({
    id,
    uuid: text,
    workspace_id: bigint,
    name: text,
    description: text,
    default_language: text,
    /** The only record of the active version. `null` only inside the transaction that inserts the template. */
    active_version_id: orNull(bigint),
    next_version: withDefault(bigint),
    created_at: bigint,
    updated_at: bigint,
  }),

  template_versions: table({
    id,
    uuid: text,
    template_id: bigint,
    number: bigint,
    note: text,
    /** JSON. */
    sample_data: text,
    content_id: bigint,
    created_at: bigint,
    updated_at: bigint,
  }),

  stylesheets: table({
    id,
    uuid: text,
    workspace_id: bigint,
    name: text,
    css: text,
    created_at: bigint,
    updated_at: bigint,
  }),
};
