import { type LoggedEvent, ServiceError } from "@posthorn/core";
import { checkOptions, functionCheck, type OptionChecks } from "@posthorn/core/internal";
import type { StreamSink, WireReply, WireRequest } from "../../contract/wire-request.ts";
import { numberCheck } from "../mount-checks.ts";
import { jsonHeaders } from "../replies/error-response.ts";
import type { ServedPosthorn } from "../served-posthorn.ts";
import { createEventPieces, type EventPieces } from "./event-pieces.ts";
import { type RequestedStream, readStreamRequest } from "./read-stream-request.ts";
import { createStreamRights, type StreamRight } from "./stream-rights.ts";

/** Path of the stream, below `/api/v1`. */
export const streamPath = "/admin/events/stream";

/** Limits of the event stream. */
export interface EventStreamOptions {
  /** Calls back regularly; returns a function that stops it. Default: every 15 s. For tests. */
  everyHeartbeat?: ((beat: () => void) => () => void) | undefined;
  /** Maximum number of streams per administrator at once; 0 for none. Default 5. */
  maxPerUser?: number | undefined;
  /** Maximum number of streams in this process at once; 0 for none. Default 200. */
  maxTotal?: number | undefined;
}

const checks: OptionChecks<EventStreamOptions> = {
  everyHeartbeat: functionCheck,
  maxPerUser: numberCheck,
  maxTotal: numberCheck,
};

export interface EventStream {
  /** Responds with a stream. Throws refusals. */
  open(request: WireRequest, query: string, requestId: string): Promise<WireReply>;
  /** Number of open streams. */
  count(): number;
  /** Ends all streams. */
  close(): void;
}

/** Creates the administrators' event stream (service.md, Administrator event stream; decisions §11). */
export function createEventStream(posthorn: ServedPosthorn, options: EventStreamOptions = {}): EventStream {
  checkOptions("eventStream", options, checks, "eventStream.");
  const everyHeartbeat = options.everyHeartbeat ?? every15Seconds;
  const { maxPerUser = 5, maxTotal = 200 } = options;
  const open = new Set<OpenStream>();
  const rights = createStreamRights();
  const pieces = createEventPieces();

  /** Reserves a place synchronously, so that simultaneous requests can't share the last one. */
  function takePlace(userId: number): OpenStream {
    const own = [...open].filter((each) => each.userId === userId).length;
    if (own >= maxPerUser || open.size >= maxTotal) {
      throw new ServiceError("rate_limited", { message: "Too many event streams are open.", retryAfter: 15 });
    }
    const place: OpenStream = { userId, end: () => {} };
    open.add(place);
    return place;
  }

  function run(
    place: OpenStream,
    sink: StreamSink,
    { authorise, login, after, position, waits, filter }: RequestedStream,
  ): void {
    if (sink.signal.aborted) {
      open.delete(place);
      return;
    }
    // A stream that does not wait and has not come to its end breaks off, so that its reader does not take it for whole.
    const leaveEarly = (): void => (waits ? sink.end() : sink.destroy());
    place.end = leaveEarly;
    const progress = watch(sink);
    const reader = createReaderPlace(after, position);
    const stopBeating = everyHeartbeat(() => {
      if (progress.isStuck()) sink.destroy();
      else if (sink.pending() === 0) sink.write(reader.beat());
      // A caller who has lost the right no longer gets the stream, even if there are no events.
      authorise().catch(leaveEarly);
    });
    const right = rights.watch(login, authorise);
    const left = (): void => {
      stopBeating();
      right.leave();
      open.delete(place);
      if (open.size === 0) pieces.clear();
    };
    sink.signal.addEventListener("abort", left, { once: true });
    // A browser sends this id when it comes back, even if no event had come before.
    sink.write(reader.beat());
    const batches = posthorn.followEventBatches({
      ...filter,
      after,
      waits,
      isAllowed: right.check,
      passed: reader.pass,
      // Without an id: a reader that breaks off before the next event is told again.
      missed: (upTo) => void sink.write(`event: gap\ndata: ${JSON.stringify({ removed_up_to: upTo })}\n\n`),
      signal: sink.signal,
    });
    const all = forward(batches, sink, { progress, right, reader, pieces }).then(() => {
      if (sink.signal.aborted) return;
      if (!right.isLeft()) leaveEarly();
      else if (!waits) sink.end();
    });
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
        // Kept alive after its stream, the connection would hold up a server's close() for seconds.
        connection: "close",
        // HAProxy's compression sends the end of an event with the next one.
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no",
        // Of an answer without one, middleware such as Hono's etag() makes it, once it has all of the answer.
        etag: `"${requestId}"`,
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

/** Bytes given to a reader and bytes that it took, to detect readers that take none. */
interface Progress {
  wrote(bytes: Uint8Array): void;
  /** Whether data waits for the reader, and it took none since the last call. */
  isStuck(): boolean;
}

function watch(sink: StreamSink): Progress {
  let written = 0;
  let takenBefore = Number.NEGATIVE_INFINITY;
  return {
    wrote({ byteLength }) {
      written += byteLength;
    },
    isStuck() {
      const left = sink.pending();
      const taken = written - left;
      const isStuck = left > 0 && taken <= takenBefore;
      takenBefore = left > 0 ? taken : Number.NEGATIVE_INFINITY;
      return isStuck;
    },
  };
}

/** Where a reader is in the log: a browser comes back with the last id that it was told. */
interface ReaderPlace {
  /** Reports that the reader was told this event. */
  tell(id: number): void;
  /** Reports that the reader needs no event up to this one. */
  pass(id: number): void;
  /** A comment, with the id up to which the reader needs no event if that is a later one than it was told. */
  beat(): string;
}

/**
 * Creates the place of a reader that has the events up to `after`. `position` is the same, if the reader was not told.
 * Without later ids, a reader of rare events would have all others looked through again when it comes back.
 */
function createReaderPlace(after: number, position: number | undefined): ReaderPlace {
  let passed = after;
  let told = position === undefined ? after : -1;
  return {
    tell(id) {
      told = id;
    },
    pass(id) {
      passed = id;
    },
    beat() {
      if (passed <= told) return ":\n\n";
      told = passed;
      return `:\nid: ${passed}\n\n`;
    },
  };
}

interface Forwarding {
  progress: Progress;
  right: StreamRight;
  reader: ReaderPlace;
  pieces: EventPieces;
}

/** Reads the log only as fast as the reader takes it, as long as the reader is allowed to. */
async function forward(
  batches: AsyncIterable<readonly LoggedEvent[]>,
  sink: StreamSink,
  { progress, right, reader, pieces }: Forwarding,
): Promise<void> {
  for await (const events of batches) {
    for (const { bytes, lastId } of pieces.of(events)) {
      if (sink.signal.aborted || !(await right.checkAgain())) return;
      progress.wrote(bytes);
      reader.tell(lastId);
      if (!sink.write(bytes)) await sink.drained();
    }
  }
}

function every15Seconds(beat: () => void): () => void {
  const timer = setInterval(beat, 15_000);
  timer.unref();
  return () => clearInterval(timer);
}
