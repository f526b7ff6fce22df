import { createHash } from "node:crypto";
import type { Attachments } from "../../ports/storage/attachments.ts";
import { base64Lines, inPieces, pieceBytes } from "../../rules/base64-lines.ts";
import { sealPiece } from "./sealed-files.ts";

/** Keeps a content that is at hand; its id. It then stays for half an hour at least, whether or not anything refers to it. */
export async function keepBytes(
  attachments: Attachments,
  { bytes, digest }: { bytes: Buffer; digest: string },
  now: number,
): Promise<number> {
  const known = await attachments.takeBlob(digest, now);
  if (known !== undefined) return known;
  return write(attachments, { bytes, digest, form: (piece) => piece }, now);
}

/** Keeps a content that only the holder of the key can read; its id. */
export const keepSealedBytes = (
  attachments: Attachments,
  { bytes, digest, key }: { bytes: Buffer; digest: string; key: string },
  now: number,
): Promise<number> =>
  write(attachments, { bytes, digest, form: (piece, position) => sealPiece(key, position, piece) }, now);

async function write(
  attachments: Attachments,
  {
    bytes,
    digest,
    form,
  }: { bytes: Buffer; digest: string; form: (piece: string, position: number) => string },
  now: number,
): Promise<number> {
  const uploadId = await attachments.beginUpload(now);
  for (let start = 0, position = 0; start < bytes.length; start += pieceBytes, position += 1) {
    const piece = base64Lines(bytes.subarray(start, start + pieceBytes));
    await attachments.addChunk(uploadId, position, form(piece, position));
  }
  return attachments.finishUpload(uploadId, { digest, size: bytes.length }, now);
}

/** A content that is kept, but for what it is: its upload can be finished. */
export interface KeptUpload {
  uploadId: number;
  digest: string;
  size: number;
}

/**
 * Keeps a content as it comes in, a piece of it in memory at a time. `assertSize` is asked with the bytes that came so far, and throws
 * what refuses more. What breaks off leaves nothing.
 */
export async function keepStream(
  attachments: Attachments,
  content: AsyncIterable<Uint8Array>,
  { now, assertSize }: { now: number; assertSize: (bytes: number) => void },
): Promise<KeptUpload> {
  const uploadId = await attachments.beginUpload(now);
  const hash = createHash("sha256");
  let size = 0;
  let position = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      size += chunk.length;
      assertSize(size);
      yield chunk;
    }
  }
  try {
    for await (const piece of inPieces(counted())) {
      hash.update(piece);
      await attachments.addChunk(uploadId, position, base64Lines(piece));
      position += 1;
    }
  } catch (error) {
    // What can't be dropped now is forgotten within the hour.
    await attachments.dropUpload(uploadId).catch(() => {});
    throw error;
  }
  return { uploadId, digest: hash.digest("hex"), size };
}
