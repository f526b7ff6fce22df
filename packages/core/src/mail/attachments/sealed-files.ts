import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { AttachmentItem } from "../../ports/storage.ts";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Shown in the log for a file of a sensitive e-mail, instead of its name and media type. */
export const undisclosedFile = {
  filename: "",
  contentType: "application/octet-stream",
  contentId: undefined,
} as const satisfies Partial<AttachmentItem>;

/**
 * What the sealed payload of a sensitive e-mail holds of a file. The stored chunks are encrypted with a key that exists
 * only here. The transaction that settles the e-mail deletes the payload; nobody can read the chunks after that, and
 * pruning removes them.
 */
export interface SealedFile {
  filename: string;
  contentType: string;
  contentId?: string | undefined;
  /** Key of this content alone: 32 bytes in base64. */
  key: string;
}

/** Makes a new key for one content, and a random name in place of the digest, which would disclose the content. */
export function createFileSeal(): { key: string; digest: string } {
  return { key: randomBytes(32).toString("base64"), digest: `sealed:${randomBytes(32).toString("hex")}` };
}

/** Encrypts a chunk. Each position of a content is written once, so that no nonce is used twice with its key. */
export function sealPiece(key: string, position: number, piece: string): string {
  const cipher = createCipheriv(algorithm, Buffer.from(key, "base64"), nonceOf(position), {
    authTagLength: tagBytes,
  });
  return Buffer.concat([cipher.update(piece, "latin1"), cipher.final(), cipher.getAuthTag()]).toString(
    "base64",
  );
}

/** Decrypts a chunk. Throws an `Error` if it is damaged or belongs to another file. */
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
