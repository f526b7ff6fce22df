import { createHash } from "node:crypto";
import type { Attachments } from "../../ports/storage.ts";
import { base64Lines, inPieces, pieceBytes } from "../../rules/base64-lines.ts";
import { sealPiece } from "./sealed-files.ts";

/** Ms for which an upload can be referred to, counted from the upload or its last use. */
export const handleLifetime = 7 * 24 * 60 * 60 * 1000;
/** Minimum ms between two notes of an upload's use, so that sends do not write the same row each time. */
export const noteEvery = 24 * 60 * 60 * 1000;

/**
 * Stores a content that is in memory and returns its id. It then stays for at least half an hour, even if nothing
 * refers to it.
 */
export async function storeBytes(
  attachments: Attachments,
  { bytes, digest }: { bytes: Buffer; digest: string },
  now: number,
): Promise<number> {
  const known = await attachments.takeBlob(digest, now);
  if (known !== undefined) return known;
  return write(attachments, { bytes, digest, form: (piece) => piece }, now);
}

/** Stores a content encrypted with the key and returns its id. */
export const storeSealedBytes = (
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

/** A stored content whose upload can be completed. */
export interface StoredUpload {
  uploadId: number;
  digest: string;
  size: number;
}

/**
 * Stores a content as it arrives, with one chunk in memory at a time. `assertSize` gets the number of bytes received so
 * far and throws if they are too many. An upload that fails leaves nothing behind.
 */
export async function storeStream(
  attachments: Attachments,
  content: AsyncIterable<Uint8Array>,
  { now, assertSize }: { now: number; assertSize: (bytes: number) => void },
): Promise<StoredUpload> {
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
    // An upload that can't be dropped now is removed within the hour.
    await attachments.dropUpload(uploadId).catch(() => {});
    throw error;
  }
  return { uploadId, digest: hash.digest("hex"), size };
}
