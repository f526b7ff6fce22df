/** What a kept content is: never its name. */
export interface BlobFacts {
  /** SHA-256 of the decoded bytes, 64 hex digits; of what is kept sealed, a name of chance. */
  digest: string;
  /** Decoded bytes. */
  size: number;
}

/** A file of an e-mail. */
export interface AttachmentItem extends BlobFacts {
  /** The kept content. */
  blobId: number;
  /** The file's name, without a path. */
  filename: string;
  /** The media type. */
  contentType: string;
  /** What the html calls it by, without brackets. */
  contentId: string | undefined;
}

/** An e-mail's files in order, known by a digest of all that they are: equal lists are kept once. */
export interface NewAttachmentSet {
  /** Of all that the files are, names included. */
  digest: string;
  /** The files, in their order. */
  items: AttachmentItem[];
}

/** A file that was uploaded, for sends to refer to. */
export interface AttachmentHandle extends BlobFacts {
  /** Names the upload, for sends. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** The kept content. */
  blobId: number;
  /** The file's name, without a path. */
  filename: string;
  /** The media type. */
  contentType: string;
  /** When it was uploaded, ms since the epoch. */
  createdAt: number;
  /** When it was last sent, within a day; `undefined` for never. */
  usedAt: number | undefined;
  /** After that nothing can refer to it any more. */
  expiresAt: number;
}

/**
 * Files of e-mails. A content is kept once by its digest, as pieces of base64 that are ready to send; a workspace's handles and the sets
 * of e-mails refer to it. What nothing refers to is removed, but for an hour from when it was kept or lost its last reference.
 */
export interface Attachments {
  /** The kept content of the digest, which then stays for half an hour at least. */
  takeBlob(digest: string, now: number): Promise<number | undefined>;
  /** Begins to keep a content; forgotten where it is not finished within an hour. */
  beginUpload(now: number): Promise<number>;
  /** Keeps a piece of an unfinished content: base64, whole lines. Rejects where the upload was forgotten meanwhile. */
  addChunk(uploadId: number, position: number, content: string): Promise<void>;
  /** Ends an upload; the content's id: of the equal one that is kept, where there is one. */
  finishUpload(uploadId: number, facts: BlobFacts, now: number): Promise<number>;
  /** Forgets an unfinished upload. */
  dropUpload(uploadId: number): Promise<void>;
  /** A piece's base64 lines, as bytes. */
  readChunk(blobId: number, position: number): Promise<Buffer | undefined>;
  /** Keeps a list of files, or finds the equal one that is kept; it stays until the transaction ends. */
  putSet(set: NewAttachmentSet): Promise<number>;
  /** The files of sets, by the set's id, in order. */
  listItems(setIds: readonly number[]): Promise<Map<number, AttachmentItem[]>>;
  /** Keeps a handle of a content that is kept. */
  insertHandle(handle: Omit<AttachmentHandle, "usedAt" | "digest" | "size">): Promise<void>;
  /** Those of the workspace that have not expired, in no order. */
  findHandles(workspaceId: number, ids: readonly string[], now: number): Promise<AttachmentHandle[]>;
  /** Notes that handles were used, and prolongs them. */
  useHandles(ids: readonly string[], now: number, expiresAt: number): Promise<void>;
  /** Whether there was such a handle. */
  deleteHandle(workspaceId: number, id: string, now: number): Promise<boolean>;
  /** Bytes and number of the workspace's handles that were never used. */
  unusedOf(workspaceId: number): Promise<{ bytes: number; handles: number }>;
  /** Deletes expired handles; answers how many. */
  deleteExpired(now: number, limit: number): Promise<number>;
  /** Looks at up to `limit` lists and contents that may be of no more use, and unfinished uploads; how many it was done with. */
  deleteUnused(now: number, limit: number): Promise<number>;
}
