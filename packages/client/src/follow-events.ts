import { ApiError } from "./api-error.ts";
import type { Event } from "./contract/schemas.ts";

/** Filter and start of the events to follow. */
export interface FollowFields {
  /** Only events of this category. */
  category?: Event["category"] | undefined;
  /** Only events of this type, such as user.login. */
  type?: string | undefined;
  /** Only events of this workspace. */
  workspace_id?: number | undefined;
  /** Only events at or after this time, ISO 8601 with an offset. */
  since?: string | undefined;
  /** The id of the last event seen: the stream begins after it. 0 for the whole log. Default: at `since`, or future events. */
  last_event_id?: number | undefined;
  /** Whether to wait for future events. Default true; otherwise the stream ends with the last existing one. */
  wait?: boolean | undefined;
}

/** What a follower of events wants besides them. */
export interface ClientFollowOptions {
  /** Ends the iteration when aborted. */
  signal?: AbortSignal | undefined;
  /** Told that retention removed events after `last_event_id`: the id of the last one that it removed. */
  onGap?: ((removedUpTo: number) => void) | undefined;
}

/** The route of the stream, which the contract does not have. */
export const streamRoute = "GET /admin/events/stream";

/** Maximum characters of an event. */
const longest = 4 * 1024 * 1024;

/**
 * Parses the event stream (Server-Sent Events). Throws an `ApiError` if the connection breaks off, or ends too early.
 */
export async function* readEvents(
  pieces: AsyncIterable<Uint8Array>,
  { waits, signal, onGap }: ClientFollowOptions & { waits: boolean },
): AsyncGenerator<Event, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const piece of pieces) {
      const messages = `${rest}${decoder.decode(piece, { stream: true })}`.split("\n\n");
      rest = messages.pop() ?? "";
      if (rest.length > longest) throw brokenOff("an event is too long");
      for (const message of messages) {
        if (signal?.aborted === true) return;
        const data = dataOf(message);
        if (data === undefined) continue;
        if (/^event: gap$/m.test(message)) onGap?.((data as { removed_up_to: number }).removed_up_to);
        else yield data as Event;
      }
    }
    if (waits) throw brokenOff("the server ended it");
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}

/** Returns the data of a message; `undefined` for a comment, which the server sends to keep the connection alive. */
function dataOf(message: string): unknown {
  // A dot would end at U+2028, which JSON may contain as it is.
  const data = /^data: ([^\n]*)/m.exec(message)?.[1];
  if (data === undefined) return undefined;
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw brokenOff("an event is not JSON", cause);
  }
}

const brokenOff = (why: string, cause?: unknown): ApiError =>
  new ApiError(`The stream of events broke off: ${why}.`, { status: 0, code: "unreachable", cause });
