import type { MailAttachment } from "@posthorn/core";

/**
 * A message as it crosses the wire: bytes, and between them files, whose base64 is read when it is sent. Every part begins a line and
 * ends one.
 */
export interface MessageSource {
  parts: readonly (Buffer | MailAttachment)[];
  /** Bytes of all of it, as SIZE counts them (RFC 1870). */
  size: number;
  /** The only part with the line that ends a message behind it, for it to be sent in one piece without a copy. */
  ended?: Buffer;
  /** Whether a line of that may begin with a dot, which crosses the wire doubled. Default true. */
  mayNeedDots?: boolean;
}

/** What ends a message (RFC 5321 section 4.1.1.4). */
export const endLine = ".\r\n";

/** A source of parts that are at hand or to be read. */
export function sourceOf(parts: readonly (Buffer | MailAttachment)[]): MessageSource {
  let size = 0;
  for (const part of parts) size += Buffer.isBuffer(part) ? part.length : encodedLength(part.size);
  return { parts, size };
}

/** How long a file's base64 is, in lines of 76 characters and CRLF. */
function encodedLength(size: number): number {
  return 4 * Math.ceil(size / 3) + 2 * Math.ceil(size / 57);
}

/** All bytes of a source in one piece: as much memory as the message is large. */
export async function gather({ parts }: MessageSource): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for (const part of parts) {
    if (Buffer.isBuffer(part)) pieces.push(part);
    else for await (const piece of part.base64()) pieces.push(piece);
  }
  return pieces.length === 1 && Buffer.isBuffer(pieces[0]) ? pieces[0] : Buffer.concat(pieces);
}
