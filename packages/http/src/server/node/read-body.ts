import type { IncomingMessage } from "node:http";
import { ServiceError } from "@posthorn/core";
import type { BodyBudget } from "../requests/body-budget.ts";
import { bodyBrokenOff, bodyTaken } from "../requests/body-faults.ts";
import { gatherChunks } from "./gather-chunks.ts";

const empty = new Uint8Array();
const tooLarge = (): ServiceError => new ServiceError("payload_too_large");

interface BodyReading {
  maxBytes: number;
  budget: BodyBudget;
  /** Called before the stream is read. */
  onRead: (request: IncomingMessage) => void;
}

/**
 * Reads a request's body. If the stream has been read, uses `rawBody` or `body` of the host's parser. Throws
 * `payload_too_large`, `unavailable` if all unfinished bodies together are too large, and `validation_failed` for a
 * body that breaks off.
 */
export function readBody(
  request: IncomingMessage,
  { maxBytes, budget, onRead }: BodyReading,
): Uint8Array | Promise<Uint8Array> {
  const parsed = request as { rawBody?: unknown; body?: unknown };
  const isRead = request.readableDidRead || request.readableEnded;
  if (parsed.rawBody instanceof Uint8Array) return limited(parsed.rawBody, maxBytes);
  if (typeof parsed.rawBody === "string") return limited(Buffer.from(parsed.rawBody), maxBytes);
  if (isRead) return limited(bytesOf(parsed.body, request), maxBytes);
  const length = Number(request.headers["content-length"]);
  if (length > maxBytes) throw tooLarge();
  // The caller disconnected while its credentials were checked, so that no more events would arrive.
  if (request.destroyed) throw bodyBrokenOff();
  // Usually all of it has arrived by now: then no events are needed. Without a length, Node 26 reads one chunk only.
  if (request.complete && request.readableLength === length)
    return (request.read(length) as Buffer | null) ?? empty;
  onRead(request);
  return readStream(request, maxBytes, budget);
}

/** Yields a file's body as a stream. A reader that stops early leaves the rest to `drainRest`. */
export async function* openBody(
  request: IncomingMessage,
  onRead: BodyReading["onRead"],
): AsyncGenerator<Uint8Array> {
  const parsed = request as { rawBody?: unknown; body?: unknown };
  const isRead = request.readableDidRead || request.readableEnded;
  if (parsed.rawBody instanceof Uint8Array || typeof parsed.rawBody === "string" || isRead) {
    yield fileOf(parsed.rawBody ?? parsed.body, request);
    return;
  }
  if (request.destroyed) throw bodyBrokenOff();
  onRead(request);
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const first = chunk as Buffer;
      // Chunks may be of one byte each, ten thousand of them in what was read from the socket at once: whoever reads them one by one is
      // called as often.
      const others =
        request.readableLength === 0 ? null : (request.read(request.readableLength) as Buffer | null);
      yield others === null ? first : Buffer.concat([first, others]);
    }
  } catch {
    throw bodyBrokenOff();
  }
  if (!request.complete) throw bodyBrokenOff();
}

function limited(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length > maxBytes) throw tooLarge();
  return bytes;
}

/** Serialises a parser's result again, so that it passes the same checks as any other body. */
function bytesOf(body: unknown, { headers }: IncomingMessage): Uint8Array {
  if (body === undefined && Number(headers["content-length"]) > 0)
    throw bodyTaken(
      "Set request.body to what its parser made of it, or mount the handler before the parser.",
    );
  if (body === undefined || body === null) return empty;
  if (body instanceof Uint8Array) return body;
  try {
    if (
      typeof body === "object" &&
      /^application\/x-www-form-urlencoded\b/i.test(headers["content-type"] ?? "")
    )
      return Buffer.from(new URLSearchParams(Object.entries(body)).toString());
    return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  } catch (cause) {
    throw new ServiceError("validation_failed", { message: "The body is nested too deeply.", cause });
  }
}

/** A file as a parser left it, which nobody may get changed: refuses what was more than decoded. */
function fileOf(body: unknown, request: IncomingMessage): Uint8Array {
  const length = Number(request.headers["content-length"]);
  if (length === 0) return empty;
  const bytes = bytesOf(body, request);
  const isWhole = typeof body !== "object" && (Number.isNaN(length) || bytes.length === length);
  if (bytes === empty || bytes === body || isWhole) return bytes;
  throw bodyTaken(
    "What its parser made of a file is not the file: mount the handler before the parser, or keep the bytes in request.rawBody.",
  );
}

function readStream(request: IncomingMessage, maxBytes: number, budget: BodyBudget): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let gathered = gatherChunks();
    let length = 0;
    const giveUp = (error: ServiceError): void => {
      unfinished.close();
      request.off("data", take);
      gathered = gatherChunks();
      reject(error);
    };
    const unfinished = budget.open(giveUp);
    function take(chunk: Buffer): void {
      length += chunk.length;
      if (length > maxBytes) {
        giveUp(tooLarge());
        return;
      }
      unfinished.add(gathered.add(chunk));
    }
    request.on("data", take);
    request.on("end", () => {
      unfinished.close();
      resolve(gathered.join());
    });
    const broken = (): void => {
      // "close" follows every request, and creating an error is expensive.
      if (!request.readableEnded) giveUp(bodyBrokenOff());
    };
    request.on("error", broken);
    request.on("close", broken);
  });
}

/** More than the largest body that any route takes, a file of 64 MiB, so that whoever sends a little too much reads why. */
const lingerBytes = 72 * 1024 * 1024;
/** As long as a request may take. */
const lingerMs = 30_000;
const pauseMs = 5_000;

/**
 * Reads and discards the rest of a body whose request is already answered, because a connection closed while the caller
 * still writes would hide the response. At most 72 MiB and 30 s, without a pause of 5 s; then the connection is closed.
 * Returns what resolves once there is no more; `undefined` if the body is complete.
 */
export function drainRest(request: IncomingMessage): Promise<void> | undefined {
  // Requests that a host creates for its tests lack this property.
  if (request.complete !== false || request.destroyed) return undefined;
  return new Promise((resolve) => {
    let left = lingerBytes;
    const end = (): void => {
      if (!request.complete) request.destroy();
    };
    const timers = [setTimeout(end, lingerMs).unref(), setTimeout(end, pauseMs).unref()] as const;
    request.on("data", (chunk: Buffer) => {
      timers[1].refresh();
      left -= chunk.length;
      if (left < 0) request.destroy();
    });
    request.on("end", resolve);
    request.on("close", () => {
      for (const timer of timers) clearTimeout(timer);
      resolve();
    });
    request.resume();
  });
}
