import type { Migration } from "../migration.ts";

/**
 * Attached files: contents stored once by digest, in chunks of base64 ready to send; lists of them, shared by e-mails;
 * and uploads. `check_at` is when to check whether anything still refers to a row, `null` if it lost no reference.
 */
export const attachments: Migration = ({ table, id, lastingId, bigint, clustered, unpacked }) => [
  // The upload's id becomes the content's: chunks are written before the digest is known.
  `create table ${table("blob_uploads")} (
    id ${lastingId},
    begun_at ${bigint} not null
  )`,
  `create table ${table("blobs")} (
    id ${bigint} primary key,
    digest text not null,
    size ${bigint} not null,
    created_at ${bigint} not null,
    check_at ${bigint}
  )`,
  `create index blobs_digest on ${table("blobs")} (digest)`,
  `create index blobs_check on ${table("blobs")} (check_at) where check_at is not null`,
  // Belongs to a content or an upload, so it can't have a foreign key: deleting either must delete these too.
  `create table ${table("blob_chunks")} (
    blob_id ${bigint} not null,
    position ${bigint} not null,
    content text not null,
    primary key (blob_id, position)
  )`,
  ...unpacked(table("blob_chunks"), "content"),
  `create table ${table("attachment_sets")} (
    id ${lastingId},
    digest text not null,
    check_at ${bigint}
  )`,
  `create index attachment_sets_digest on ${table("attachment_sets")} (digest)`,
  `create index attachment_sets_check on ${table("attachment_sets")} (check_at) where check_at is not null`,
  `create table ${table("attachment_set_items")} (
    set_id ${bigint} not null references ${table("attachment_sets")} (id) on delete cascade,
    position ${bigint} not null,
    blob_id ${bigint} not null references ${table("blobs")} (id),
    filename text not null,
    content_type text not null,
    content_id text,
    primary key (set_id, position)
  ) ${clustered}`,
  `create index attachment_set_items_blob on ${table("attachment_set_items")} (blob_id)`,
  `create table ${table("attachment_handles")} (
    id ${id},
    uuid text not null unique,
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    blob_id ${bigint} not null references ${table("blobs")} (id),
    filename text not null,
    content_type text not null,
    created_at ${bigint} not null,
    used_at ${bigint},
    expires_at ${bigint} not null
  )`,
  // Rows that lost a reference: pruning notes it in `check_at`. Several may name one: a note on the row itself, and a unique
  // key too, would wait for an open transaction, such as a host's, in which the same lost another reference.
  `create table ${table("loose_files")} (
    id ${id},
    kind text not null,
    row_id ${bigint} not null,
    check_at ${bigint} not null
  )`,
  `create index attachment_handles_blob on ${table("attachment_handles")} (blob_id)`,
  `create index attachment_handles_end on ${table("attachment_handles")} (expires_at)`,
  `create index attachment_handles_workspace on ${table("attachment_handles")} (workspace_id, used_at)`,
];
