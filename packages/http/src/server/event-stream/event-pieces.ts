import type { LoggedEvent } from "@posthorn/core";
import { eventWire } from "../../contract/wire/events.ts";

/** Bytes of a piece, at least, if there are as many: a reader's connection is waited for between two. */
const pieceBytes = 32 * 1024;

/** Events as the stream writes them at once. */
export interface EventPiece {
  bytes: Uint8Array;
  /** Id of the last of them. */
  lastId: number;
}

/** Bytes of pieces that are kept for other readers, at most: each may have a filter of its own. */
const keptBytes = 8 * 1024 * 1024;

/** The pieces of what was last written. */
export interface EventPieces {
  /** Returns events as the stream writes them. Readers that get the same array at about the same time get the same bytes. */
  of(events: readonly LoggedEvent[]): readonly EventPiece[];
  /** Forgets all. */
  clear(): void;
}

export function createEventPieces(): EventPieces {
  const kept = new Map<readonly LoggedEvent[], readonly EventPiece[]>();
  let bytes = 0;
  return {
    of(events) {
      const known = kept.get(events);
      if (known !== undefined) return known;
      const pieces = [...write(events)];
      kept.set(events, pieces);
      bytes += sizeOf(pieces);
      for (const [oldest, its] of kept) {
        if (bytes <= keptBytes) break;
        kept.delete(oldest);
        bytes -= sizeOf(its);
      }
      return pieces;
    },
    clear() {
      kept.clear();
      bytes = 0;
    },
  };
}

const sizeOf = (pieces: readonly EventPiece[]): number =>
  pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);

function* write(events: readonly LoggedEvent[]): Iterable<EventPiece> {
  let text = "";
  for (const [at, event] of events.entries()) {
    // No `event:` line, so that a browser's onmessage receives every event.
    text += `id: ${event.id}\ndata: ${JSON.stringify(eventWire.from(event))}\n\n`;
    if (text.length < pieceBytes && at < events.length - 1) continue;
    yield { bytes: Buffer.from(text), lastId: event.id };
    text = "";
  }
}
