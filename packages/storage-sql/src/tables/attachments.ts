import type { Id } from "./columns.ts";

/** A content that is still coming in. */
export interface BlobUploadsTable {
  id: Id;
  begun_at: number;
}

export interface BlobsTable {
  /** That of its upload. */
  id: number;
  digest: string;
  /** Decoded bytes. */
  size: number;
  created_at: number;
  /** When to look whether anything refers to it; `null` where nothing ceased to. */
  check_at: number | null;
}

export interface BlobChunksTable {
  /** Of a blob, or of an upload. */
  blob_id: number;
  position: number;
  /** Base64 in whole lines, each ended by CRLF. */
  content: string;
}

export interface AttachmentSetsTable {
  id: Id;
  digest: string;
  /** As of blobs. */
  check_at: number | null;
}

export interface AttachmentSetItemsTable {
  set_id: number;
  position: number;
  blob_id: number;
  filename: string;
  content_type: string;
  content_id: string | null;
}

export interface AttachmentHandlesTable {
  id: Id;
  uuid: string;
  workspace_id: number;
  blob_id: number;
  filename: string;
  content_type: string;
  created_at: number;
  used_at: number | null;
  expires_at: number;
}

export interface AttachmentTables {
  blob_uploads: BlobUploadsTable;
  blobs: BlobsTable;
  blob_chunks: BlobChunksTable;
  attachment_sets: AttachmentSetsTable;
  attachment_set_items: AttachmentSetItemsTable;
  attachment_handles: AttachmentHandlesTable;
}
