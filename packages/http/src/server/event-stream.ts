import {
  type EventCategory,
  fieldError,
  type LoggedEvent,
  ServiceError,
  type UserCaller,
} from "@posthorn/core";
import { eventWire } from "../contract/wire/events.ts";
import { headerOf, type StreamSink, type WireReply, type WireRequest } from "../contract/wire-request.ts";
import { findPerson } from "./authenticate.ts";
import { jsonHeaders } from "./error-response.ts";
import { readQuery } from "./read-query.ts";
import type { ServedPosthorn } from "./served-posthorn.ts";

/** The stream's path, below `/api/v1`. */
export const streamPath = "/admin/events/stream";

/** Bounds of the event stream. */
export interface EventStreamOptions {
  /** Calls back regularly; returns how to stop. Default: every 15 s. For tests. */
  everyHeartbeat?: (beat: () => void) => () => void;
  /** Streams of one administrator at once. Default 5. */
  maxPerUser?: number;
  /** Streams in this process at once. Default 200. */
  maxTotal?: number;
}

export interface EventStream {
  /** Answers with a stream. Throws what refuses it. */
  open(request: WireRequest, query: string, requestId: string): Promise<WireReply>;
  /** How many streams are open. */
  count(): number;
  /** Ends all of them. */
  close(): void;
}

/** Bytes that a reader may fall behind by before it is cut off. */
const maxPending = 256 * 1024;
const categories: readonly string[] = [
  "audit",
  "email",
  "webhook",
  "campaign",
  "system",
] satisfies EventCategory[];

/** Makes the administrators' event stream (service.md, Administrator event stream; decisions §11). */
export function createEventStream(posthorn: ServedPosthorn, options: EventStreamOptions = {}): EventStream {
  const everyHeartbeat = options.everyHeartbeat ?? every15Seconds;
  const { maxPerUser = 5, maxTotal = 200 } = options;
  const open = new Set<OpenStream>();

  /** Takes a place at once, so that requests at the same moment can't share the last one. */
  function takePlace(userId: number): OpenStream {
    const own = [...open].filter((each) => each.userId === userId).length;
    if (own >= maxPerUser || open.size >= maxTotal) {
      throw new ServiceError("rate_limited", { message: "Too many event streams are open.", retryAfter: 15 });
    }
    const place: OpenStream = { userId, end: () => {} };
    open.add(place);
    return place;
  }

  function run(place: OpenStream, sink: StreamSink, { authorise, after, category }: Asked): void {
    if (sink.signal.aborted) {
      open.delete(place);
      return;
    }
    place.end = () => sink.end();
    const stopBeating = everyHeartbeat(() => {
      if (!isBehind(sink)) sink.write(":\n\n");
      // A right that was taken away ends the stream.
      authorise().catch(() => sink.end());
    });
    const left = (): void => {
      stopBeating();
      open.delete(place);
    };
    sink.signal.addEventListener("abort", left, { once: true });
    sink.write(":\n\n");
    const events = posthorn.followEvents({ workspaceId: "all", after, category, signal: sink.signal });
    forward(events, sink).catch((error: unknown) => {
      posthorn.logger.warn({ err: error }, "an event stream broke off");
      sink.destroy();
    });
  }

  return {
    async open(request, query, requestId) {
      const asked = await readRequest(posthorn, request, query);
      const place = takePlace(asked.caller.userId);
      const headers = {
        ...jsonHeaders(requestId),
        "content-type": "text/event-stream",
        "x-accel-buffering": "no",
      };
      return { status: 200, headers, body: "", stream: (sink) => run(place, sink, asked) };
    },
    count: () => open.size,
    close() {
      for (const place of [...open]) place.end();
    },
  };
}

interface OpenStream {
  userId: number;
  end(): void;
}

interface Asked {
  /** Looks again whether the caller still may. */
  authorise: () => Promise<UserCaller>;
  caller: UserCaller;
  after: number | undefined;
  category: EventCategory | undefined;
}

/** Credentials come in the header or, only here, in the query, since browsers' event sources send no headers. */
async function readRequest(posthorn: ServedPosthorn, request: WireRequest, query: string): Promise<Asked> {
  const { token: inQuery, category, last_event_id: lastInQuery, ...rest } = readQuery(query);
  const unknown = Object.keys(rest)[0];
  if (unknown !== undefined) throw fieldError(unknown, "is not a known field");
  if (inQuery !== undefined && headerOf(request, "authorization") !== undefined) {
    throw fieldError("token", "is given besides the Authorization header");
  }
  const authorise = () => findAdministrator(posthorn, request, inQuery);
  const caller = await authorise();
  if (category !== undefined && !categories.includes(category)) {
    throw fieldError("category", `is not one of ${categories.join(", ")}`);
  }
  const last = headerOf(request, "last-event-id") ?? lastInQuery;
  if (last !== undefined && !/^\d{1,15}$/.test(last))
    throw fieldError("last_event_id", "is not an event's id");
  return {
    authorise,
    caller,
    after: last === undefined ? undefined : Number(last),
    category: category as EventCategory | undefined,
  };
}

async function findAdministrator(
  posthorn: ServedPosthorn,
  request: WireRequest,
  token: string | undefined,
): Promise<UserCaller> {
  const { caller } = await findPerson(posthorn, request, token);
  if (!caller.isAdmin) throw new ServiceError("administrator_required");
  return caller;
}

async function forward(events: AsyncIterable<LoggedEvent>, sink: StreamSink): Promise<void> {
  for await (const event of events) {
    if (sink.signal.aborted || isBehind(sink)) return;
    // No `event:` line, so that a browser's onmessage sees every one.
    sink.write(`id: ${event.id}\ndata: ${JSON.stringify(eventWire.from(event))}\n\n`);
  }
}

/** Whether the reader has fallen too far behind; then it is cut off. */
function isBehind(sink: StreamSink): boolean {
  if (sink.pending() <= maxPending) return false;
  sink.destroy();
  return true;
}

function every15Seconds(beat: () => void): () => void {
  const timer = setInterval(beat, 15_000);
  timer.unref();
  return () => clearInterval(timer);
}
