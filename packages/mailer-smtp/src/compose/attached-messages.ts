import type { MailAttachment, MailMessage } from "@posthorn/core";

/**
 * Attached messages: they may have no transfer encoding (RFC 2046 section 5.2.1), so they are examined before they are
 * written.
 */
export type AttachedMessages = ReadonlyMap<MailAttachment, Buffer>;

export const noAttachedMessages: AttachedMessages = new Map();

/** Reads the attached messages of a message. */
export async function readAttachedMessages({
  attachments,
}: Pick<MailMessage, "attachments">): Promise<AttachedMessages> {
  if (!attachments.some(isComposite)) return noAttachedMessages;
  const read = new Map<MailAttachment, Buffer>();
  for (const file of attachments.filter(isComposite)) {
    const pieces: Buffer[] = [];
    for await (const piece of file.base64())
      pieces.push(Buffer.from(Buffer.from(piece).toString("latin1"), "base64"));
    read.set(file, Buffer.concat(pieces));
  }
  return read;
}

const isComposite = ({ contentType }: MailAttachment): boolean => /^message\//i.test(contentType);
