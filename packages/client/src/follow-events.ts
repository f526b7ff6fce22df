import { ApiError } from "./api-error.ts";
import type { Event } from "./contract/schemas.ts";

/** Which events are followed, and from where. */
export interface FollowFields {
  /** Only events of this category. */
  category?: Event["category"] | undefined;
  /** Only events of this type, such as user.login. */
  type?: string | undefined;
  /** Only events of this workspace. */
  workspace_id?: number | undefined;
  /** Only events at or after this time, ISO 8601 with an offset. */
  since?: string | undefined;
  /** The id of the last event seen: it begins behind that one. 0 for all that the log has. Default: with what happens from now on. */
  last_event_id?: number | undefined;
  /** Whether what happens later is told, too. Default true; else it ends with the last that stands. */
  wait?: boolean | undefined;
}

/** Characters that an event may have. */
const longest = 4 * 1024 * 1024;

/** Reads the event stream (Server-Sent Events). Throws an `ApiError` where it breaks off, or ends although more was to come. */
export async function* readEvents(
  pieces: AsyncIterable<Uint8Array>,
  { waits, signal }: { waits: boolean; signal: AbortSignal | undefined },
): AsyncGenerator<Event, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const piece of pieces) {
      const messages = `${rest}${decoder.decode(piece, { stream: true })}`.split("\n\n");
      rest = messages.pop() ?? "";
      if (rest.length > longest) throw brokenOff("what it says has no end");
      for (const message of messages) {
        const event = readMessage(message);
        if (event !== undefined) yield event;
      }
    }
    if (waits) throw brokenOff("the server ended it");
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}

/** The event of a message; `undefined` for a comment, by which the server says that it is there. */
function readMessage(message: string): Event | undefined {
  const data = /^data: (.*)$/m.exec(message)?.[1];
  if (data === undefined) return undefined;
  try {
    return JSON.parse(data) as Event;
  } catch (cause) {
    throw brokenOff("what it says is no JSON", cause);
  }
}

const brokenOff = (why: string, cause?: unknown): ApiError =>
  new ApiError(`The stream of events broke off: ${why}.`, { status: 0, code: "unreachable", cause });
