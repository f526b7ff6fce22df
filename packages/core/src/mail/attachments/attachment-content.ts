import type { MailAttachment } from "../../ports/mailer.ts";
import { base64Lines, pieceBytes } from "../../rules/base64-lines.ts";

/** Makes a message's file from bytes in memory: for tests of mailers, and for hosts that call a mailer themselves. */
export function createAttachment({
  content,
  ...named
}: Pick<MailAttachment, "filename" | "contentType" | "contentId"> & {
  content: Uint8Array;
}): MailAttachment {
  return {
    ...named,
    size: content.length,
    async *base64() {
      for (let start = 0; start < content.length; start += pieceBytes)
        yield Buffer.from(base64Lines(content.subarray(start, start + pieceBytes)));
    },
  };
}

/** Returns the whole decoded content of a message's file; it takes as much memory as the file is large. */
export async function readAttachment({ base64 }: Pick<MailAttachment, "base64">): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of base64()) pieces.push(decodePiece(piece));
  return Buffer.concat(pieces);
}

/** Decodes a chunk of whole base64 lines. */
export function decodePiece(piece: Uint8Array): Buffer {
  const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("latin1");
  return Buffer.from(text, "base64");
}
