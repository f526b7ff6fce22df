import type { MailAttachment } from "@posthorn/core";

/**
 * A message as it is transmitted: bytes and, between them, files whose base64 is read when it is sent. Each part begins
 * and ends at a line boundary.
 */
export interface MessageSource {
  parts: readonly (Buffer | MailAttachment)[];
  /** Total bytes, as SIZE counts them (RFC 1870). */
  size: number;
  /** The only part, followed by the line that ends a message, so that it can be sent at once without a copy. */
  ended?: Buffer;
  /** Whether a line of `ended` may begin with a dot, which SMTP doubles. Default true. */
  mayNeedDots?: boolean;
}

/** The line that ends a message (RFC 5321 section 4.1.1.4). */
export const endLine = ".\r\n";

/** Makes a source of parts that are in memory or yet to be read. */
export function sourceOf(parts: readonly (Buffer | MailAttachment)[]): MessageSource {
  let size = 0;
  for (const part of parts) size += Buffer.isBuffer(part) ? part.length : encodedLength(part.size);
  return { parts, size };
}

/** Length of a file's base64, in lines of 76 characters with CRLF. */
function encodedLength(size: number): number {
  return 4 * Math.ceil(size / 3) + 2 * Math.ceil(size / 57);
}

/** Returns all bytes of a source in one buffer, which takes as much memory as the message is large. */
export async function gather({ parts }: MessageSource): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for (const part of parts) {
    if (Buffer.isBuffer(part)) pieces.push(part);
    else for await (const piece of part.base64()) pieces.push(piece);
  }
  return pieces.length === 1 && Buffer.isBuffer(pieces[0]) ? pieces[0] : Buffer.concat(pieces);
}
