// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { AttachmentView } from "../mail/attachments/attachment-view.ts";
import type { CallShapes } from "./call-options.ts";

/** What `upload` takes. */
export interface UploadAttachmentInput {
  /** The file's name, at most 255 bytes; of a path only the last part is kept. */
  filename: string;
  /** The file: bytes, or a stream of them. Over HTTP it is the body of the request. */
  content: Uint8Array | AsyncIterable<Uint8Array>;
  /**
   * The media type; over HTTP the header Content-Type. Default: by the name's extension, else
   * application/octet-stream.
   */
  contentType?: string | undefined;
  /** Number of bytes, if known in advance: a file that is too large is then refused before it is read. */
  size?: number | undefined;
}

/** What `get` takes. */
export interface GetAttachmentInput {
  /** The uploaded file's id, a UUID. */
  attachmentId: string;
}

/** What `delete` takes. */
export interface DeleteAttachmentInput {
  /** The uploaded file's id, a UUID. */
  attachmentId: string;
}

/** Uploaded files that can be sent. */
export interface AttachmentsVerbs<K extends CallShapes = CallShapes> {
  /**
   * Stores a file that sends and campaigns can refer to by its id, for 7 days from the upload, and at least as long
   * from each use (platform.md P3, P9).
   *
   * May refuse with `attachment_too_large`, `message_too_large`, `not_found`, `rate_limited`.
   */
  upload(this: void, input: UploadAttachmentInput, ...call: K["workspace"]): Promise<AttachmentView>;
  /** Reads an uploaded file's metadata, without its content (platform.md P3). */
  get(this: void, input: GetAttachmentInput, ...call: K["workspace"]): Promise<AttachmentView>;
  /** Deletes an uploaded file; e-mails that were accepted with it keep their copy (platform.md P3). */
  delete(this: void, input: DeleteAttachmentInput, ...call: K["workspace"]): Promise<void>;
}
