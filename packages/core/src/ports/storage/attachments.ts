/** Facts about a stored content, without its name. */
export interface BlobFacts {
  /** SHA-256 of the decoded bytes, 64 hex digits; for a sealed content a random value. */
  digest: string;
  /** Size of the decoded content in bytes. */
  size: number;
}

/** A file of an e-mail. */
export interface AttachmentItem extends BlobFacts {
  /** Id of the stored content. */
  blobId: number;
  /** The file's name, without a path. */
  filename: string;
  /** The media type. */
  contentType: string;
  /** The content id in the html, without brackets. */
  contentId: string | undefined;
}

/** An e-mail's files in order, with a digest of the whole list: equal lists are stored once, but perhaps by concurrent transactions. */
export interface NewAttachmentSet {
  /** Digest of all facts about the files, including names. */
  digest: string;
  /** The files, in their order. */
  items: AttachmentItem[];
}

/** An uploaded file, for later requests to refer to. */
export interface AttachmentHandle extends BlobFacts {
  /** The upload's id, by which requests refer to it. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** Id of the stored content. */
  blobId: number;
  /** The file's name, without a path. */
  filename: string;
  /** The media type. */
  contentType: string;
  /** When it was uploaded, ms since the epoch. */
  createdAt: number;
  /** When it was last sent, accurate to a day, ms since the epoch; `undefined` for never. */
  usedAt: number | undefined;
  /** When it expires: later requests can't refer to it. */
  expiresAt: number;
}

/**
 * Files of e-mails. Each content is stored once by its digest, but perhaps by concurrent transactions, of which none waits
 * for another, in pieces of base64 that are ready to send. Handles of workspaces and the file sets of e-mails refer to it.
 * An unreferenced content is removed, but not within an hour after it was stored or lost its last reference.
 */
export interface Attachments {
  /**
   * Finds the stored content with the digest, and protects it from removal for at least half an hour. One that another
   * transaction changes may not be found.
   */
  takeBlob(digest: string, now: number): Promise<number | undefined>;
  /** Begins to store a content. It is removed if it is not finished within an hour. */
  beginUpload(now: number): Promise<number>;
  /**
   * Stores a piece of an unfinished content: base64, whole lines. Rejects if the upload was removed in the meantime.
   */
  addChunk(uploadId: number, position: number, content: string): Promise<void>;
  /** Ends an upload. Returns the content's id, or that of an equal stored content. */
  finishUpload(uploadId: number, facts: BlobFacts, now: number): Promise<number>;
  /** Removes an unfinished upload. */
  dropUpload(uploadId: number): Promise<void>;
  /** Reads a piece's base64 lines, as bytes. */
  readChunk(blobId: number, position: number): Promise<Buffer | undefined>;
  /** Stores a list of files, or finds the equal stored one. It can't be removed until the transaction ends. */
  putSet(set: NewAttachmentSet): Promise<number>;
  /** Lists the files of sets by the set's id, in order. */
  listItems(setIds: readonly number[]): Promise<Map<number, AttachmentItem[]>>;
  /** Inserts a handle of a stored content. */
  insertHandle(handle: Omit<AttachmentHandle, "usedAt" | "digest" | "size">): Promise<void>;
  /** Finds the workspace's handles that have not expired, in no order. */
  findHandles(workspaceId: number, ids: readonly string[], now: number): Promise<AttachmentHandle[]>;
  /** Records the use of handles, and extends their lifetime; not of those that another transaction changes. */
  useHandles(ids: readonly string[], now: number, expiresAt: number): Promise<void>;
  /** Deletes a handle. Returns whether there was one. */
  deleteHandle(workspaceId: number, id: string, now: number): Promise<boolean>;
  /** Returns the bytes and the number of the workspace's handles that were never used. */
  unusedOf(workspaceId: number): Promise<{ bytes: number; handles: number }>;
  /** Deletes expired handles. Returns their number. */
  deleteExpired(now: number, limit: number): Promise<number>;
  /**
   * Checks up to `limit` file lists and contents that may be unreferenced, and unfinished uploads, and deletes those
   * that are. Returns the number that it checked.
   */
  deleteUnused(now: number, limit: number): Promise<number>;
}
