import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { AttachmentItem } from "../../ports/storage/attachments.ts";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** What the log says of a file whose e-mail is sensitive, in place of its name and type. */
export const untoldFile = {
  filename: "",
  contentType: "application/octet-stream",
  contentId: undefined,
} as const satisfies Partial<AttachmentItem>;

/**
 * What a sensitive e-mail's own sealed payload knows of a file. The kept pieces are encrypted with a key that is nowhere else: once the
 * payload is dropped, in the transaction that settles the e-mail, nobody reads them any more, and pruning removes what is left.
 */
export interface SealedFile {
  filename: string;
  contentType: string;
  contentId?: string | undefined;
  /** Of this content alone: 32 bytes in base64. */
  key: string;
}

/** A new key for one content, and in place of a digest, which would tell what it is, a name of chance. */
export function createFileSeal(): { key: string; digest: string } {
  return { key: randomBytes(32).toString("base64"), digest: `sealed:${randomBytes(32).toString("hex")}` };
}

/** Encrypts a piece. Each place of a content is written once, so that no nonce comes twice under its key. */
export function sealPiece(key: string, position: number, piece: string): string {
  const cipher = createCipheriv(algorithm, Buffer.from(key, "base64"), nonceOf(position), {
    authTagLength: tagBytes,
  });
  return Buffer.concat([cipher.update(piece, "latin1"), cipher.final(), cipher.getAuthTag()]).toString(
    "base64",
  );
}

/** The piece as it was. Throws an Error where it is damaged, or another's. */
export function openPiece(key: string, position: number, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv(algorithm, Buffer.from(key, "base64"), nonceOf(position), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]);
}

function nonceOf(position: number): Buffer {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeUInt32BE(position, nonceBytes - 4);
  return nonce;
}
