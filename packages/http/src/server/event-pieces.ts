import type { LoggedEvent } from "@posthorn/core";
import { eventWire } from "../contract/wire/events.ts";

/** Bytes of a piece, at least, if there are as many: a reader's connection is waited for between two. */
const pieceBytes = 32 * 1024;

/** Events as the stream writes them at once. */
export interface EventPiece {
  bytes: Uint8Array;
  /** Id of the last of them. */
  lastId: number;
}

const written = new WeakMap<readonly LoggedEvent[], EventPiece[]>();

/** Returns events as the stream writes them. All readers that get the same array get the same bytes. */
export function eventPieces(events: readonly LoggedEvent[]): readonly EventPiece[] {
  let pieces = written.get(events);
  if (pieces === undefined) {
    pieces = [...write(events)];
    written.set(events, pieces);
  }
  return pieces;
}

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
