import { AttachmentUnreadable, type MailAttachment } from "../../../ports/mailer.ts";
import type { AttachmentItem, Storage } from "../../../ports/storage.ts";
import { base64Length, pieceBytes } from "../../../rules/base64-lines.ts";
import { openPiece, type SealedFile } from "../../attachments/sealed-files.ts";
import { createByteRoom } from "./byte-room.ts";

/** Maximum bytes of files in transmission at once, apart from small ones and what `createByteRoom` lets in alone. */
const roomBytes = 128 * 1024 * 1024;
/**
 * Maximum bytes of chunks in the cache: consecutive mails often have the same files. A file is not cached if it alone
 * would evict the others.
 */
const keptBytes = 8 * 1024 * 1024;
const keptFile = keptBytes / 4;

/** Reads the files of e-mails that are being sent. */
export interface AttachmentReader {
  /**
   * Runs `work` with the e-mail's files, which can be read until it ends. Waits for free memory. `sealed` decrypts
   * those of a sensitive e-mail.
   */
  use<T>(files: UsedFiles, work: (files: MailAttachment[]) => Promise<T>): Promise<T>;
}

interface UsedFiles {
  setId: number | undefined;
  sealed?: readonly SealedFile[] | undefined;
  /** The e-mail's route. */
  route: string;
  /** Called if the e-mail had to wait for memory, after that. */
  onAdmitted: () => void;
}

/** Creates a reader that reads files chunk by chunk while they are sent, and fetches the next chunk in the meantime. */
export function createAttachmentReader({ attachments }: Pick<Storage, "attachments">): AttachmentReader {
  const room = createByteRoom(roomBytes);
  const readDirectly: ReadPiece = (blobId, position) => attachments.readChunk(blobId, position);
  const readKept = keepingPieces(readDirectly);

  async function* base64({ blobId, size, filename: name }: AttachmentItem): AsyncGenerator<Uint8Array> {
    const filename = name === "" ? "a file" : name;
    const count = Math.ceil(size / pieceBytes);
    const readPiece = size <= keptFile ? readKept : readDirectly;
    const read = (position: number): Promise<Buffer | undefined> => {
      const piece = position < count ? readPiece(blobId, position) : Promise.resolve(undefined);
      // If the sending breaks off, nobody awaits this chunk, and its failure must not be unhandled.
      piece.catch(() => {});
      return piece;
    };
    let next = read(0);
    for (let position = 0; position < count; position += 1) {
      const piece = await next.catch((cause: unknown) => {
        throw new AttachmentUnreadable(`${filename} can't be read`, { isGone: false, cause });
      });
      if (piece === undefined) throw new AttachmentUnreadable(`${filename} was removed`, { isGone: true });
      next = read(position + 1);
      yield piece;
    }
  }

  /** Decrypts the chunks of a sensitive e-mail's file. */
  async function* opened(item: AttachmentItem, key: string): AsyncGenerator<Uint8Array> {
    let position = 0;
    for await (const piece of base64(item)) {
      yield openSealed(key, position, piece);
      position += 1;
    }
  }

  const toMail = (item: AttachmentItem, sealed: SealedFile | undefined): MailAttachment => {
    const { filename, contentType, contentId } = sealed ?? item;
    return {
      filename,
      contentType,
      size: item.size,
      ...(contentId === undefined ? {} : { contentId }),
      base64: () => (sealed === undefined ? base64(item) : opened(item, sealed.key)),
    };
  };

  async function useSet<T>(
    setId: number,
    { sealed, route, onAdmitted }: UsedFiles,
    work: (files: MailAttachment[]) => Promise<T>,
  ): Promise<T> {
    const items = (await attachments.listItems([setId])).get(setId) ?? [];
    if (items.length === 0) throw new AttachmentUnreadable("the list of files was removed", { isGone: true });
    const bytes = items.reduce((sum, { size }) => sum + base64Length(size), 0);
    const entering = room.enter(bytes, route);
    if (entering !== undefined) {
      await entering;
      onAdmitted();
    }
    try {
      return await work(items.map((item, place) => toMail(item, sealed?.[place])));
    } finally {
      room.leave(bytes, route);
    }
  }

  return {
    use: (files, work) => (files.setId === undefined ? work([]) : useSet(files.setId, files, work)),
  };
}

function openSealed(key: string, position: number, piece: Uint8Array): Buffer {
  try {
    return openPiece(key, position, Buffer.from(piece).toString("latin1"));
  } catch (cause) {
    throw new AttachmentUnreadable("a file is damaged", { isGone: true, cause });
  }
}

type ReadPiece = (blobId: number, position: number) => Promise<Buffer | undefined>;

/** Caches the chunks read last: contents never change, and ids are never reused. */
function keepingPieces(readPiece: ReadPiece): ReadPiece {
  const kept = new Map<string, Buffer>();
  let total = 0;
  return async (blobId, position) => {
    const key = `${blobId}:${position}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const piece = await readPiece(blobId, position);
    if (piece === undefined) return undefined;
    if (!kept.has(key)) {
      kept.set(key, piece);
      total += piece.length;
    }
    for (const [oldest, { length }] of kept) {
      if (total <= keptBytes) break;
      kept.delete(oldest);
      total -= length;
    }
    return piece;
  };
}
