import { bigint, id, orNull, table, text } from "./columns.ts";

export const attachmentTables = {
  /** A content that is still being uploaded. */
  blob_uploads: table({
    id,
    begun_at: bigint,
  }),

  blobs: table({
    /** The id of its upload. */
    id: bigint,
    digest: text,
    /** Decoded bytes. */
    size: bigint,
    created_at: bigint,
    /** When to check whether anything still refers to it; `null` if it lost no reference. */
    check_at: orNull(bigint),
  }),

  blob_chunks: table(
    {
      /** The id of a blob or an upload. */
      blob_id: bigint,
      position: bigint,
      /** Base64 in whole lines, each with CRLF. */
      content: text,
    },
    ["blob_id", "position"],
  ),

  attachment_sets: table({
    id,
    digest: text,
    /** Like `check_at` of `blobs`. */
    check_at: orNull(bigint),
  }),

  attachment_set_items: table(
    {
      set_id: bigint,
      position: bigint,
      blob_id: bigint,
      filename: text,
      content_type: text,
      content_id: orNull(text),
    },
    ["set_id", "position"],
  ),

  attachment_handles: table({
    id,
    uuid: text,
    workspace_id: bigint,
    blob_id: bigint,
    filename: text,
    content_type: text,
    created_at: bigint,
    used_at: orNull(bigint),
    expires_at: bigint,
  }),

  /** Contents (`blob`) and lists (`set`) that lost a reference, for pruning to note in their `check_at`. */
  loose_files: table({
    id,
    kind: text,
    /** The content's or list's. */
    row_id: bigint,
    check_at: bigint,
  }),
};
