import type { IncomingMessage, ServerResponse } from "node:http";
import { ServiceError } from "@posthorn/core";
import {
  type ClientAddressOptions,
  clientAddressOf,
  createProxyCheck,
  type ProxyCheck,
} from "./client-address.ts";
import { createDispatcher, type Dispatcher, type DispatcherOptions } from "./dispatch.ts";
import type { Posthorn } from "./posthorn.ts";
import type { StreamSink, WireReply, WireRequest } from "./wire-request.ts";

/** Options of a handler for Node. */
export interface NodeHandlerOptions extends DispatcherOptions, ClientAddressOptions {
  /** The path that the service stands under in the host, such as `/mail`. Stripped where the host has not done so. */
  prefix?: string;
}

/** A handler for node:http, Express, Connect, and through their raw request and response Fastify and Koa. */
export interface NodeHandler {
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void;
  /** From now on answers 503, and ends the event streams. */
  close(): void;
}

/**
 * Makes a handler over a service. Works before and after a body parser: what a parser left on `request.rawBody` or `request.body` is
 * used where the stream has been read. With `next`, a path that is not ours goes on to the host.
 */
export function toNodeHandler(posthorn: Posthorn, options: NodeHandlerOptions = {}): NodeHandler {
  const dispatcher: Dispatcher = createDispatcher(posthorn, options);
  const isProxy = createProxyCheck(options.trustProxy);
  const prefix = (options.prefix ?? "").replace(/\/+$/, "");
  const handle = (
    request: IncomingMessage,
    response: ServerResponse,
    next?: (error?: unknown) => void,
  ): void => {
    const wireRequest = readRequest(request, stripPrefix(request.url ?? "/", prefix), isProxy);
    void dispatcher.dispatch(wireRequest).then((reply) => {
      if (reply.unrouted === true && next !== undefined) next();
      else writeReply(response, reply);
    });
  };
  return Object.assign(handle, { close: dispatcher.close });
}

function stripPrefix(url: string, prefix: string): string {
  if (prefix === "" || !url.startsWith(prefix)) return url;
  const rest = url.slice(prefix.length);
  return rest === "" || rest[0] === "?" ? `/${rest}` : rest[0] === "/" ? rest : url;
}

function readRequest(request: IncomingMessage, target: string, isProxy: ProxyCheck): WireRequest {
  return {
    method: request.method ?? "GET",
    target,
    headers: request.headers,
    repeatedAuthorization: countHeader(request.rawHeaders, "authorization") > 1,
    // Node joins these with commas.
    repeatedIdempotencyKey:
      request.headers["idempotency-key"]?.includes(",") === true &&
      countHeader(request.rawHeaders, "idempotency-key") > 1,
    ip: clientAddressOf(request.socket.remoteAddress, request.headers["x-forwarded-for"], isProxy),
    readBody: (maxBytes) => readBody(request, maxBytes),
  };
}

/** Node keeps the first of several, or joins them, and says nothing; so they are counted. */
function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at];
    if (given?.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}

const empty = new Uint8Array();
const tooLarge = (): ServiceError => new ServiceError("payload_too_large");

const brokenOff = (): ServiceError =>
  new ServiceError("validation_failed", { message: "The body broke off." });

function limited(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length > maxBytes) throw tooLarge();
  return bytes;
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const parsed = request as { rawBody?: unknown; body?: unknown };
  const isRead = request.readableDidRead || request.readableEnded;
  if (parsed.rawBody instanceof Uint8Array) return limited(parsed.rawBody, maxBytes);
  if (typeof parsed.rawBody === "string") return limited(Buffer.from(parsed.rawBody), maxBytes);
  if (isRead) return limited(bytesOf(parsed.body), maxBytes);
  if (Number(request.headers["content-length"]) > maxBytes) throw tooLarge();
  // The caller left while the credentials were checked: no more events would come.
  if (request.destroyed) throw brokenOff();
  return readStream(request, maxBytes);
}

/** What a body parser made, as bytes again, so that it passes the same checks as any other body. */
function bytesOf(body: unknown): Uint8Array {
  if (body === undefined || body === null) return empty;
  if (body instanceof Uint8Array) return body;
  try {
    return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  } catch (cause) {
    throw new ServiceError("validation_failed", { message: "The body is nested too deeply.", cause });
  }
}

function readStream(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      // The rest is let flow by: a connection cut off while the caller still writes would hide the answer.
      if (length > maxBytes) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const broken = (): void => {
      // "close" comes after every request, and making an error is dear.
      if (!request.readableEnded) reject(brokenOff());
    };
    request.on("error", broken);
    request.on("close", broken);
  });
}

function writeReply(response: ServerResponse, reply: WireReply): void {
  if (reply.stream !== undefined && reply.headOnly !== true) {
    writeStream(response, reply, reply.stream);
    return;
  }
  if (response.headersSent || response.destroyed) return;
  if (reply.status !== 204) reply.headers["content-length"] = String(Buffer.byteLength(reply.body));
  response.writeHead(reply.status, reply.headers);
  response.end(reply.headOnly === true ? undefined : reply.body);
}

function writeStream(response: ServerResponse, reply: WireReply, stream: (sink: StreamSink) => void): void {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  response.on("error", () => gone.abort());
  if (response.destroyed) gone.abort();
  else response.writeHead(reply.status, reply.headers);
  stream({
    write: (text) => {
      if (!gone.signal.aborted) response.write(text);
    },
    pending: () => response.writableLength,
    end() {
      response.end();
      gone.abort();
    },
    destroy() {
      response.destroy();
      gone.abort();
    },
    signal: gone.signal,
  });
}
