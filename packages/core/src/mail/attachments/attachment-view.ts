import type { AttachmentHandle, AttachmentItem } from "../../ports/storage/attachments.ts";

/** An uploaded file as callers see it. Times are ms since the epoch. */
export interface AttachmentView {
  /** The upload's id, a UUID, which `attachments` of a send takes. */
  id: string;
  /** What it is called. */
  filename: string;
  /** Its media type. */
  contentType: string;
  /** Decoded bytes. */
  size: number;
  /** `sha256:` and 64 hex digits. */
  digest: string;
  /** When it was uploaded, ms since the epoch. */
  createdAt: number;
  /** After that no send can refer to it; each send prolongs it. */
  expiresAt: number;
}

export const viewAttachment = (handle: AttachmentHandle): AttachmentView => ({
  id: handle.id,
  filename: handle.filename,
  contentType: handle.contentType,
  size: handle.size,
  digest: `sha256:${handle.digest}`,
  createdAt: handle.createdAt,
  expiresAt: handle.expiresAt,
});

/** A file of an e-mail as callers see it. */
export interface EmailAttachmentView {
  /** Its place among the e-mail's files, from 0. */
  position: number;
  /** Empty where the e-mail is sensitive. */
  filename: string;
  /** Its media type. */
  contentType: string;
  /** Decoded bytes. */
  size: number;
  /** By which the html refers to it as `cid:`; `undefined` for a file that is not shown in it. */
  contentId: string | undefined;
}

export const viewFile = (
  { filename, contentType, size, contentId }: Omit<AttachmentItem, "blobId">,
  position: number,
): EmailAttachmentView => ({ position, filename, contentType, size, contentId });
