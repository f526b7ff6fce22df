import { ServiceError } from "@posthorn/core";
import { checkOptions, type OptionChecks } from "@posthorn/core/internal";
import type { StreamSink, WireReply, WireRequest } from "../contract/wire-request.ts";
import { unknownAddress } from "./callers/client-address.ts";
import { createHostLogin, type HostLoginOptions, hostLoginOptions } from "./callers/host-login.ts";
import { createDispatcher, type DispatcherOptions, dispatcherOptions } from "./dispatch.ts";
import { assertService, prefixCheck } from "./mount-checks.ts";
import { createGate } from "./replies/gate.ts";
import { bodyBrokenOff, bodyTaken } from "./requests/body-faults.ts";
import { stripPrefix } from "./requests/read-target.ts";
import type { ServedPosthorn } from "./served-posthorn.ts";

/**
 * Options of a handler for `Request` and `Response`. `Rest` are the arguments that the host passes besides the request.
 */
export interface WebHandlerOptions<Rest extends unknown[] = []>
  extends DispatcherOptions,
    HostLoginOptions<[request: Request, ...rest: Rest]> {
  /** Path under which the service is mounted in the host. */
  prefix?: string | undefined;
  /**
   * Returns the client's address, which a web request does not contain. Guards against guessing count by it; clients
   * whose address is `undefined` are counted together.
   */
  clientAddress: (request: Request, ...rest: Rest) => string | undefined;
}

const checks: OptionChecks<WebHandlerOptions> = {
  prefix: prefixCheck,
  clientAddress: true,
  ...hostLoginOptions,
  ...dispatcherOptions,
};

/** A handler for Hono, Next and other frameworks that use Fetch's `Request` and `Response`. */
export interface WebHandler<Rest extends unknown[] = []> {
  (request: Request, ...rest: Rest): Promise<Response>;
  /** Returns the metrics of `/metrics` in Prometheus' text format, for the host to serve. */
  metrics(this: void): Promise<string>;
  /** From now on responds with 503, closing the connections of HTTP/1, and ends the event streams. */
  close(this: void): void;
}

/** Creates a handler for a service. */
export function toWebHandler<Rest extends unknown[] = []>(
  posthorn: ServedPosthorn,
  options: WebHandlerOptions<Rest>,
): WebHandler<Rest> {
  assertService("toWebHandler", posthorn);
  checkOptions<object>("toWebHandler", options, checks);
  if (typeof options.clientAddress !== "function")
    throw new TypeError("toWebHandler needs clientAddress, a function that returns the client's address");
  const dispatcher = createDispatcher(posthorn, options);
  const prefix = (options.prefix ?? "").replace(/\/+$/, "");
  const hostLogin = createHostLogin<[Request, ...Rest]>(posthorn, options);
  const handle = async (request: Request, ...rest: Rest): Promise<Response> => {
    const address: unknown = options.clientAddress(request, ...rest) || unknownAddress;
    // A promise, for example, would be one address of all clients.
    if (typeof address !== "string")
      throw new TypeError("clientAddress must return a text or undefined, and at once, without a promise");
    const wireRequest = readRequest(request, prefix, address);
    wireRequest.askHost = hostLogin(wireRequest, [request, ...rest]);
    const reply = await dispatcher.dispatch(wireRequest);
    if (dispatcher.isClosed()) reply.headers.connection = "close";
    return toResponse(reply);
  };
  const { close, metrics } = dispatcher;
  return Object.assign(handle, { close, metrics });
}

function readRequest(request: Request, prefix: string, ip: string): WireRequest {
  const afterHost = /^[a-z][\w+.-]*:\/\/[^/?#]*(.*)$/i.exec(request.url)?.[1] ?? request.url;
  const target = stripPrefix(afterHost, prefix);
  const headers = Object.fromEntries(request.headers);
  return {
    method: request.method,
    target: target.startsWith("/") ? target : `/${target}`,
    headers,
    // Fetch joins repeated headers with a comma, which no token contains.
    repeatedAuthorization: headers.authorization?.includes(",") === true,
    ip,
    readBody: (maxBytes) => readBody(request, maxBytes),
    openBody: () => bodyOf(request),
    hasLeft: () => request.signal.aborted,
  };
}

async function* bodyOf({ body, bodyUsed }: Request): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  if (bodyUsed || body.locked) throw bodyTaken("Call the handler first, or read a clone of the request.");
  try {
    yield* body as unknown as AsyncIterable<Uint8Array>;
  } catch {
    throw bodyBrokenOff();
  }
}

async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bodyOf(request)) {
    length += chunk.length;
    if (length > maxBytes) throw new ServiceError("payload_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toResponse({ status, headers, body, stream, chunks, headOnly }: WireReply): Response {
  if (headOnly === true || status === 204 || status === 304) return new Response(null, { status, headers });
  if (chunks !== undefined) return new Response(ReadableStream.from(chunks), { status, headers });
  if (stream === undefined) return new Response(body, { status, headers });
  return new Response(toReadable(stream), { status, headers });
}

/** Bytes that a reader of events may be given before the writer waits for it. */
const highWaterMark = 64 * 1024;

function toReadable(stream: (sink: StreamSink) => void): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const encoder = new TextEncoder();
  const room = createGate();
  gone.signal.addEventListener("abort", room.open);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const finish = (close: () => void): void => {
          if (gone.signal.aborted) return;
          gone.abort();
          close();
        };
        stream({
          write: (data) => {
            if (gone.signal.aborted) return true;
            // Shared bytes are copied: what is enqueued belongs to the reader, who may transfer it.
            controller.enqueue(typeof data === "string" ? encoder.encode(data) : new Uint8Array(data));
            return (controller.desiredSize ?? 1) > 0;
          },
          drained: async () => {
            if (!gone.signal.aborted) await room.wait();
          },
          pending: () => highWaterMark - (controller.desiredSize ?? highWaterMark),
          end: () => finish(() => controller.close()),
          destroy: () => finish(() => controller.error(new Error("cut off"))),
          signal: gone.signal,
        });
      },
      pull: room.open,
      cancel: () => gone.abort(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark }),
  );
}
