import { setImmediate } from "node:timers";
import type { ClaimedEmail, EmailPayload, Storage } from "../../../ports/storage.ts";
import { createByteRoom } from "./byte-room.ts";

/** Maximum bytes read at once, unless a single piece is larger. */
const pieceBytes = 1024 * 1024;
/**
 * Maximum bytes of payloads and of contents sent as written in memory, apart from small ones and from what
 * `createByteRoom` lets in alone.
 */
const roomBytes = 32 * 1024 * 1024;

/** Reads payloads of e-mails about to be sent. */
export interface PayloadReader {
  /**
   * Runs `work` with the payload, which may be discarded after that; `undefined` if it is damaged or gone. Waits for
   * free memory.
   */
  use<T>(claimed: ClaimedEmail, work: (payload: EmailPayload | undefined) => T | Promise<T>): Promise<T>;
}

interface Asked {
  claimed: ClaimedEmail;
  resolve: (payload: EmailPayload | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Creates a reader. Payloads requested in one tick are read together, in chunks, within the memory limit. `onAdmitted` is
 * called for an e-mail that had to wait for memory.
 */
export function createPayloadReader(
  { emailQueue }: Pick<Storage, "emailQueue">,
  onAdmitted: (claimed: ClaimedEmail) => void,
): PayloadReader {
  const room = createByteRoom(roomBytes);
  let asked: Asked[] = [];

  async function readAll(): Promise<void> {
    const all = asked;
    asked = [];
    for (const piece of inPieces(all)) await readPiece(piece);
  }

  async function readPiece(piece: Asked[]): Promise<void> {
    try {
      const payloads = await emailQueue.payloads(piece.map(({ claimed }) => claimed.lease));
      for (const [index, { resolve }] of piece.entries()) resolve(payloads[index]);
    } catch (error) {
      for (const { reject } of piece) reject(error);
    }
  }

  const read = (claimed: ClaimedEmail): Promise<EmailPayload | undefined> =>
    new Promise((resolve, reject) => {
      if (asked.push({ claimed, resolve, reject }) === 1) setImmediate(readAll);
    });

  return {
    async use(claimed, work) {
      const entering = room.enter(claimed.bytes, claimed.route);
      if (entering !== undefined) {
        await entering;
        onAdmitted(claimed);
      }
      try {
        return await work(await read(claimed));
      } finally {
        room.leave(claimed.bytes, claimed.route);
      }
    },
  };
}

function inPieces(all: Asked[]): Asked[][] {
  const pieces: Asked[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const one of all) {
    bytes += one.claimed.bytes;
    if (bytes > pieceBytes) {
      pieces.push([]);
      bytes = one.claimed.bytes;
    }
    pieces.at(-1)?.push(one);
  }
  return pieces;
}
