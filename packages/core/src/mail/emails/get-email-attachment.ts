import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { AttachmentUnreadable } from "../../ports/mailer.ts";
import type { AttachmentItem, Attachments } from "../../ports/storage.ts";
import { pieceBytes } from "../../rules/base64-lines.ts";
import { decodePiece } from "../attachments/attachment-content.ts";
import { findEmailOrThrow } from "./email-view.ts";

/** A file whose content is read chunk by chunk on demand. */
export interface FileView {
  /** Suggested name of the file. */
  filename: string;
  /** The media type. */
  contentType: string;
  /** Size in bytes; `undefined` if it is not known before it was read. */
  size: number | undefined;
  /** The bytes, in chunks; can be iterated once. Empty chunks come where the next bytes take long to find. */
  content: AsyncIterable<Uint8Array>;
}

/** Reads the content of one of an e-mail's files (platform.md P3). It is read after the call, during iteration. */
export const getEmailAttachment = useCase({
  access: "emails:content",
  refusals: ["content_unavailable"],
  reads: true,
  readsOn: true,
  input: z.strictObject({
    emailId: uuidField.describe("The e-mail's id, a UUID."),
    position: z.int().min(0).max(99).describe("The file's position among the e-mail's files, from 0."),
  }),
  async run({ storage, workspace, now }, { emailId, position }): Promise<FileView> {
    const email = await findEmailOrThrow(storage, workspace.id, emailId, now);
    if (email.isSensitive)
      throw new ServiceError("content_unavailable", {
        message: "The e-mail is sensitive: its files are sealed.",
      });
    if (email.contentId === undefined)
      throw new ServiceError("not_found", { message: "The e-mail's files were removed with its content." });
    const setId = email.attachmentSetId;
    const items = setId === undefined ? undefined : (await storage.attachments.listItems([setId])).get(setId);
    const item = items?.[position];
    if (item === undefined)
      throw new ServiceError("not_found", { message: `The e-mail has no file at position ${position}.` });
    const { filename, contentType, size } = item;
    return { filename, contentType, size, content: contentOf(storage.attachments, item) };
  },
});

async function* contentOf(
  attachments: Attachments,
  { blobId, size }: AttachmentItem,
): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < Math.ceil(size / pieceBytes); position += 1) {
    const piece = await attachments.readChunk(blobId, position);
    if (piece === undefined) throw new AttachmentUnreadable("the file is gone", { isGone: true });
    yield decodePiece(piece);
  }
}
