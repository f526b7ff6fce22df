import { setTimeout as pause } from "node:timers/promises";
import { type LoggedEvent, ServiceError } from "@posthorn/core";
import { eventWire } from "../contract/wire/events.ts";
import type { StreamSink, WireReply, WireRequest } from "../contract/wire-request.ts";
import { jsonHeaders } from "./error-response.ts";
import { type AskedStream, readStreamRequest } from "./read-stream-request.ts";
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
/** Bytes that a reader is given at once, before it is waited for. */
const mostAtOnce = 64 * 1024;
/** ms between two looks at what the reader took, and how long it may take nothing. */
const lookMs = 10;
const patienceMs = 15_000;

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

  function run(place: OpenStream, sink: StreamSink, { authorise, after, waits, filter }: AskedStream): void {
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
    const events = posthorn.followEvents({ ...filter, after, waits, signal: sink.signal });
    const all = forward(events, sink).then(() => waits || sink.end());
    all.catch((error: unknown) => {
      posthorn.logger.warn({ err: error }, "an event stream broke off");
      sink.destroy();
    });
  }

  return {
    async open(request, query, requestId) {
      const asked = await readStreamRequest(posthorn, request, query);
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

async function forward(events: AsyncIterable<LoggedEvent>, sink: StreamSink): Promise<void> {
  for await (const event of events) {
    if (sink.signal.aborted || isBehind(sink)) return;
    // No `event:` line, so that a browser's onmessage sees every one.
    sink.write(`id: ${event.id}\ndata: ${JSON.stringify(eventWire.from(event))}\n\n`);
    if (sink.pending() > mostAtOnce) await taken(sink);
  }
}

/** Waits until the reader took what it was given: one that reads a long log falls behind by no more than that. Cuts off who takes nothing. */
async function taken(sink: StreamSink): Promise<void> {
  let left = sink.pending();
  for (let idle = 0; idle < patienceMs && !sink.signal.aborted; idle += lookMs) {
    await pause(lookMs);
    const now = sink.pending();
    if (now <= mostAtOnce / 2) return;
    if (now < left) idle = 0;
    left = now;
  }
  if (!sink.signal.aborted) sink.destroy();
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
