import type { ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { StreamSink, WireReply } from "../../contract/wire-request.ts";
import { createGate } from "../replies/gate.ts";
import { createWritingTurns } from "./writing-turns.ts";

/** Limits for unread responses. */
export interface UnreadLimits {
  /** Maximum time in ms without progress before a response's connection is closed. */
  writeTimeoutMs: number;
  /** Maximum bytes of responses that wait in all connections together. */
  maxUnreadBytes: number;
  /** Called for each response that is cut off for the sake of `maxUnreadBytes`. */
  onCutOff?: (() => void) | undefined;
}

/**
 * Writes a response and watches that it is read. `rest` resolves when its request's body has arrived, if it has not: a
 * response that closes the connection ends only then.
 */
export type WriteReply = (
  response: ServerResponse,
  reply: WireReply,
  rest?: Promise<void> | undefined,
) => void;

interface Unread {
  response: ServerResponse;
  /** Bytes of memory held until the response has been read. */
  bytes: number;
  deadline: number;
  /** What `sentWith` told when the deadline was set. */
  sent: number;
}

/** Bytes written to a socket at once, so that progress is visible. */
const sliceBytes = 64 * 1024;

/**
 * Creates a writer of responses. A response without progress, in steps of 64 KiB, closes its connection; if unread
 * responses together take too much memory, the oldest are cut off.
 */
export function createReplyWriter({ writeTimeoutMs, maxUnreadBytes, onCutOff }: UnreadLimits): WriteReply {
  const unread = new Set<Unread>();
  const { hasTurn, waitInLine } = createWritingTurns();
  let total = 0;
  let timer: NodeJS.Timeout | undefined;

  function remove(entry: Unread): void {
    if (!unread.delete(entry)) return;
    total -= entry.bytes;
    if (unread.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function cutOff(entry: Unread): void {
    remove(entry);
    breakOff(entry.response);
  }

  function sweep(): void {
    const now = performance.now();
    for (const entry of unread) {
      if (entry.deadline >= now) continue;
      if (sentWith(entry.response) - entry.sent >= sliceBytes) renew(entry);
      else cutOff(entry);
    }
  }

  function renew(entry: Unread): Unread {
    entry.deadline = performance.now() + writeTimeoutMs;
    entry.sent = sentWith(entry.response);
    return entry;
  }

  /** Watches data that the socket did not accept at once. */
  function watch(response: ServerResponse, bytes: number): Unread {
    const entry = renew({ response, bytes, deadline: 0, sent: 0 });
    unread.add(entry);
    total += bytes;
    response.once("close", () => remove(entry));
    timer ??= setInterval(sweep, Math.min(1_000, writeTimeoutMs)).unref();
    limitTotal();
    return entry;
  }

  function hold(entry: Unread, bytes: number): void {
    total += bytes - entry.bytes;
    entry.bytes = bytes;
    limitTotal();
  }

  function limitTotal(): void {
    for (const oldest of unread) {
      if (total <= maxUnreadBytes) break;
      if (oldest.bytes === 0) continue;
      cutOff(oldest);
      onCutOff?.();
    }
  }

  /**
   * Writes as much as the socket accepts, in turns with other long responses. Uses "drain", because a host's
   * middleware, such as compression, ignores the callbacks of writes.
   */
  function writeSlices(entry: Unread, bytes: Uint8Array): void {
    const { response } = entry;
    const own = entry.bytes;
    let at = 0;
    const goOn = (): void => {
      renew(entry);
      hold(entry, Math.max(own, sliceBytes));
      while (!isGone(response) && at + sliceBytes < bytes.length) {
        if (!hasTurn(sliceBytes)) {
          response.off("drain", goOn);
          // That the line is long is not its reader's fault.
          entry.deadline = Number.POSITIVE_INFINITY;
          hold(entry, own);
          waitInLine(resume);
          return;
        }
        const slice = bytes.subarray(at, at + sliceBytes);
        at += sliceBytes;
        if (!response.write(slice)) return;
      }
      response.off("drain", goOn);
      response.end(bytes.subarray(at));
    };
    const resume = (): void => {
      response.on("drain", goOn);
      goOn();
    };
    resume();
  }

  /** Reads only as fast as the socket accepts data. A read error breaks off the response. */
  async function writeChunks(entry: Unread, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const { response } = entry;
    const room = createGate();
    response.on("drain", room.open);
    response.on("close", room.open);
    // That the next chunk takes long to find is not its reader's fault.
    const waitForNext = (): void => {
      entry.deadline = Number.POSITIVE_INFINITY;
    };
    try {
      waitForNext();
      for await (const chunk of chunks) {
        for (let at = 0; at < chunk.length && !isGone(response); at += sliceBytes) {
          renew(entry);
          const taken = room.wait();
          if (!response.write(chunk.subarray(at, at + sliceBytes))) await taken;
        }
        if (isGone(response)) return;
        // Nothing was found yet: a proxy waits only so long for the head.
        if (chunk.length === 0) response.flushHeaders();
        waitForNext();
      }
      renew(entry);
      response.end();
    } catch {
      breakOff(response);
    }
  }

  return (response, reply, rest) => {
    if (reply.stream !== undefined && reply.headOnly !== true) {
      writeStream(response, reply, reply.stream);
      return;
    }
    if (response.headersSent || isGone(response)) return;
    const { body, headers, status, chunks } = reply;
    if (chunks !== undefined && reply.headOnly !== true) {
      response.writeHead(status, headers);
      void writeChunks(watch(response, sliceBytes), chunks);
      return;
    }
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
    // To HEAD, the length of a file that is made while it is read stays untold.
    if (status !== 204 && status !== 304 && chunks === undefined)
      headers["content-length"] ??= String(length);
    response.writeHead(status, headers);
    if (reply.headOnly === true || length <= sliceBytes) {
      const bytes = reply.headOnly === true ? undefined : body;
      if (rest === undefined) response.end(bytes);
      else endLater(response, bytes, rest);
      if (unsent(response) > 0) watch(response, length);
      return;
    }
    // Buffers are created once and shared by all responses, which hold a slice each; a string belongs to this response alone.
    const own = typeof body === "string" ? length : 0;
    writeSlices(watch(response, own), typeof body === "string" ? Buffer.from(body) : body);
  };
}

/** Node closes the connection at the end of its last response, and what the caller still writes would hide that response. */
function endLater(response: ServerResponse, bytes: WireReply["body"] | undefined, rest: Promise<void>): void {
  if (bytes === undefined || bytes.length === 0) response.flushHeaders();
  else response.write(bytes);
  // A host's compression buffers data until it is flushed.
  (response as { flush?: () => void }).flush?.();
  void rest.then(() => response.end());
}

const isHttp2 = ({ req }: ServerResponse): boolean => req.httpVersionMajor >= 2;

/** Bytes that wait to be sent. Over HTTP/2 each stream has a window of its own, whatever the socket takes. */
const unsent = (response: ServerResponse): number =>
  (isHttp2(response) ? response : response.socket)?.writableLength ?? 0;

/** Bytes that a connection of HTTP/2 has sent: a slow one has each of its responses wait for the others. */
function sentWith({ stream }: ServerResponse & { stream?: ServerHttp2Stream }): number {
  const session = stream?.session;
  // Without a connection, asking for its socket throws.
  return session === undefined || session.destroyed ? 0 : session.socket.bytesWritten;
}

/** Whether the reader has left, so that nothing that is written would reach anybody. Of HTTP/2, only its stream tells. */
export const isGone = (response: ServerResponse & { stream?: { destroyed: boolean } }): boolean =>
  response.destroyed || response.stream?.destroyed === true;

/** Ends a response before its end. Without an error, a reader by HTTP/2 would take what it has for all of it. */
function breakOff(response: ServerResponse): void {
  response.destroy(isHttp2(response) ? new Error("The response was cut off.") : undefined);
}

/** HTTP/2 has no header `connection`: Node drops it with a warning. */
function headersFor(response: ServerResponse, headers: WireReply["headers"]): WireReply["headers"] {
  if (!isHttp2(response)) return headers;
  const { connection: _, ...others } = headers;
  return others;
}

function writeStream(response: ServerResponse, reply: WireReply, stream: (sink: StreamSink) => void): void {
  const gone = new AbortController();
  const room = createGate();
  response.on("drain", room.open);
  response.on("close", () => gone.abort());
  response.on("error", () => gone.abort());
  gone.signal.addEventListener("abort", room.open);
  // A reader that leaves ends only its own side at first: its place would stay taken until something is written to it.
  const socket = isHttp2(response) ? null : response.socket;
  if (socket?.readableEnded) response.destroy();
  else socket?.once("end", () => response.destroy());
  // A host may have answered meanwhile, such as at its time-out.
  if (isGone(response) || response.headersSent) gone.abort();
  else response.writeHead(reply.status, headersFor(response, reply.headers));
  stream({
    write: (data) => {
      if (gone.signal.aborted) return true;
      const hasRoom = response.write(data);
      // A host's compression buffers data until it is flushed.
      (response as { flush?: () => void }).flush?.();
      return hasRoom;
    },
    drained: async () => {
      if (!gone.signal.aborted) await room.wait();
    },
    pending: () => response.writableLength,
    end() {
      response.end();
      gone.abort();
    },
    destroy() {
      breakOff(response);
      gone.abort();
    },
    signal: gone.signal,
  });
}
