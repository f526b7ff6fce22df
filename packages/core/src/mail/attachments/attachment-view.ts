import { ServiceError } from "../../errors.ts";
import type { AttachmentHandle, AttachmentItem, Repositories } from "../../ports/storage.ts";

/** An uploaded file as shown to callers. Times are ms since the epoch. */
export interface AttachmentView {
  /** The upload's id, a UUID, for `attachments` of a send. */
  id: string;
  /** The name. */
  filename: string;
  /** The media type. */
  contentType: string;
  /** Decoded bytes. */
  size: number;
  /** `sha256:` and 64 hex digits. */
  digest: string;
  /** Time of the upload, ms since the epoch. */
  createdAt: number;
  /** Time after which no send can refer to it, ms since the epoch; each send extends it. */
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

/** Refusal of a call for an upload that does not exist, or no more. */
export const noSuchFile = (): ServiceError =>
  new ServiceError("not_found", { message: "There is no such file, or it has expired." });

/** Returns an upload of the workspace that can be referred to at `now`, ms since the epoch; throws `not_found`. */
export async function findHandleOrThrow(
  { attachments }: Pick<Repositories, "attachments">,
  workspaceId: number,
  attachmentId: string,
  now: number,
): Promise<AttachmentHandle> {
  const [handle] = await attachments.findHandles(workspaceId, [attachmentId], now);
  if (handle === undefined) throw noSuchFile();
  return handle;
}

/** A file of an e-mail as shown to callers. */
export interface EmailAttachmentView {
  /** Position among the e-mail's files, from 0. */
  position: number;
  /** The file's name; empty if the e-mail is sensitive. */
  filename: string;
  /** The media type. */
  contentType: string;
  /** Decoded bytes. */
  size: number;
  /** The id by which the html refers to the file as `cid:`; `undefined` if it is not shown in the html. */
  contentId: string | undefined;
}

export const viewFile = (
  { filename, contentType, size, contentId }: Omit<AttachmentItem, "blobId">,
  position: number,
): EmailAttachmentView => ({ position, filename, contentType, size, contentId });
