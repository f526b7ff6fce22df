import type { IncomingMessage, ServerResponse } from "node:http";
import { totalmem } from "node:os";
import { checkOptions, msCheck, type OptionChecks } from "@posthorn/core/internal";
import type { WireReply, WireRequest } from "../contract/wire-request.ts";
import {
  type ClientAddressOptions,
  clientAddressOf,
  createProxyCheck,
  type ProxyCheck,
} from "./callers/client-address.ts";
import { createHostLogin, type HostLoginOptions, hostLoginOptions } from "./callers/host-login.ts";
import { createDispatcher, type Dispatcher, type DispatcherOptions, dispatcherOptions } from "./dispatch.ts";
import { assertService, limitCheck, prefixCheck } from "./mount-checks.ts";
import { createConnectionTurns } from "./node/connection-turns.ts";
import { drainRest, openBody, readBody } from "./node/read-body.ts";
import { createRequestTurns } from "./node/request-turns.ts";
import { createReplyWriter, isGone } from "./node/write-reply.ts";
import { type BodyBudget, bodyBytesFor, createBodyBudget } from "./requests/body-budget.ts";
import { originForm, stripPrefix } from "./requests/read-target.ts";
import type { ServedPosthorn } from "./served-posthorn.ts";

const mebibyte = 1024 * 1024;

/**
 * Options of a handler for Node. `Asked` is the framework's own request, such as Express's, which `authenticate`
 * receives.
 */
export interface NodeHandlerOptions<Asked extends IncomingMessage = IncomingMessage>
  extends DispatcherOptions,
    ClientAddressOptions,
    HostLoginOptions<[request: Asked]> {
  /**
   * Path under which the service is mounted in the host, such as `/mail`. It is stripped if the host has not done so.
   * Needed where the host strips more, as NestJS's `forRoutes("mail/*path")` does.
   */
  prefix?: string | undefined;
  /** Limits for all callers together. */
  limits?: NodeLimits | undefined;
}

/** What these options must be. */
export const nodeHandlerOptions: OptionChecks<NodeHandlerOptions> = {
  prefix: prefixCheck,
  trustProxy: [
    "true, or an array of addresses and CIDR ranges",
    (value) => typeof value === "boolean" || Array.isArray(value),
  ],
  limits: true,
  ...hostLoginOptions,
  ...dispatcherOptions,
};

/** Limits of memory and time that callers share. */
export interface NodeLimits {
  /** Ms after which the connection of a response is closed of which the caller read nothing meanwhile. Default 30,000. */
  writeTimeoutMs?: number | undefined;
  /** Maximum bytes of unread responses in all connections; beyond it, the oldest are cut off. Default 64 MiB. */
  maxUnreadBytes?: number | undefined;
  /**
   * Maximum bytes of unfinished bodies in all connections; beyond it, the largest are refused with a 503. Default 128
   * MiB, or a sixteenth of the memory that this process may use, if that is less, but at least 32 MiB.
   */
  maxBodyBytes?: number | undefined;
}

const limitChecks: OptionChecks<NodeLimits> = {
  writeTimeoutMs: msCheck,
  maxUnreadBytes: limitCheck,
  maxBodyBytes: limitCheck,
};

/** A handler for node:http, Express and Connect, and, through their raw request and response, Fastify and Koa. */
export interface NodeHandler<Asked extends IncomingMessage = IncomingMessage> {
  (request: Asked, response: ServerResponse, next?: (error?: unknown) => void): void;
  /** Returns the metrics of `/metrics` in Prometheus' text format, for the host to serve. */
  metrics(this: void): Promise<string>;
  /** From now on responds with 503, closing the connections of HTTP/1, and ends the event streams. */
  close(this: void): void;
}

/**
 * Creates a Node handler for a service. It works before and after a body parser: if the stream has been read, it uses
 * `request.rawBody` or `request.body`. With `next`, unknown paths are passed on to the host.
 */
export function toNodeHandler<Asked extends IncomingMessage = IncomingMessage>(
  posthorn: ServedPosthorn,
  options: NodeHandlerOptions<Asked> = {},
): NodeHandler<Asked> {
  assertService("toNodeHandler", posthorn);
  checkOptions<object>("toNodeHandler", options, nodeHandlerOptions);
  return createNodeHandler(posthorn, options, { onRead() {}, onReply() {} });
}

/** What a server does at certain moments of a request. */
interface Moments {
  /** Before its body is read, if it is read at all. */
  onRead(request: IncomingMessage): void;
  /** Before its response is written. */
  onReply(response: ServerResponse, reply: WireReply): void;
}

/** Creates a Node handler. */
export function createNodeHandler<Asked extends IncomingMessage>(
  posthorn: ServedPosthorn,
  options: NodeHandlerOptions<Asked>,
  { onRead, onReply }: Moments,
): NodeHandler<Asked> & Pick<Dispatcher, "prepareClose"> {
  checkOptions("limits", options.limits ?? {}, limitChecks, "limits.");
  const dispatcher: Dispatcher = createDispatcher(posthorn, options);
  const isProxy = createProxyCheck(options.trustProxy);
  const prefix = (options.prefix ?? "").replace(/\/+$/, "");
  const {
    writeTimeoutMs = 30_000,
    maxUnreadBytes = 64 * mebibyte,
    maxBodyBytes = bodyBytesFor({ process: process.constrainedMemory?.() ?? 0, machine: totalmem() }),
  } = options.limits ?? {};
  const budget = createBodyBudget(maxBodyBytes);
  const writeReply = createReplyWriter({
    writeTimeoutMs,
    maxUnreadBytes,
    onCutOff() {
      // Without other fields it is told once a minute.
      const err = new Error(
        `callers have not read more than ${maxUnreadBytes} bytes (limits.maxUnreadBytes)`,
      );
      posthorn.logger.warn({ err }, "a response was cut off, the oldest that is unread");
    },
  });
  const takeTurn = createConnectionTurns();
  const takeRequestTurn = createRequestTurns();
  const hostLogin = createHostLogin<[Asked]>(posthorn, options);
  const handle = (request: Asked, response: ServerResponse, next?: (error?: unknown) => void): void => {
    const target = targetWithin(request, prefix);
    const answer = (): void => {
      if (response.destroyed) return;
      const askHost = hostLogin({ method: request.method ?? "GET", headers: request.headers }, [request]);
      const wireRequest = readRequest(request, { target, response, isProxy, budget, onRead, askHost });
      void dispatcher.dispatch(wireRequest).then((reply) => {
        if (reply.unrouted === true && next !== undefined) {
          next();
          return;
        }
        onReply(response, reply);
        if (dispatcher.isClosed() && !response.headersSent) response.shouldKeepAlive = false;
        writeReply(response, reply, drainRest(request));
      });
    };
    const holder = request.headers.authorization ?? request.socket.remoteAddress ?? "";
    takeTurn(request, response, () => takeRequestTurn(holder, answer));
  };
  const { close, metrics, prepareClose } = dispatcher;
  return Object.assign(handle, { close, metrics, prepareClose });
}

/**
 * The target without the prefix. Frameworks with Express's `originalUrl` may cut off more than that of `url`: NestJS's
 * `forRoutes("mail/*path")` leaves nothing.
 */
function targetWithin(request: IncomingMessage & { originalUrl?: unknown }, prefix: string): string {
  const { url = "/", originalUrl } = request;
  if (prefix !== "" && typeof originalUrl === "string") {
    const original = originForm(originalUrl);
    const stripped = stripPrefix(original, prefix);
    if (stripped !== original) return stripped;
  }
  return stripPrefix(originForm(url), prefix);
}

interface Reading {
  target: string;
  response: ServerResponse;
  isProxy: ProxyCheck;
  budget: BodyBudget;
  askHost: WireRequest["askHost"];
  onRead: (request: IncomingMessage) => void;
}

/** All properties at once: by one that is added later, V8 keeps each request until it collects its old generation. */
function readRequest(
  request: IncomingMessage,
  { target, response, isProxy, budget, onRead, askHost }: Reading,
): WireRequest {
  return {
    method: request.method ?? "GET",
    target,
    headers: request.headers,
    repeatedAuthorization: countHeader(request.rawHeaders, "authorization") > 1,
    // Node joins these with commas.
    repeatedIdempotencyKey:
      request.headers["idempotency-key"]?.includes(",") === true &&
      countHeader(request.rawHeaders, "idempotency-key") > 1,
    hostFault: hostFaultOf(request),
    ip: clientAddressOf(request.socket.remoteAddress, request.headers["x-forwarded-for"], isProxy),
    readBody: (maxBytes) => readBody(request, { maxBytes, budget, onRead }),
    openBody: () => openBody(request, onRead),
    // At first, one who leaves ends only the own side, as one does who has no more to send.
    hasLeft: () => isGone(response) || request.socket.readableEnded,
    askHost,
  };
}

function hostFaultOf({ headers, rawHeaders, httpVersion }: IncomingMessage): WireRequest["hostFault"] {
  const count = countHeader(rawHeaders, "host");
  if (count > 1) return "is given more than once";
  // HTTP/1.0 has none, and HTTP/2 has `:authority` in its place. A host's adapter, such as one for functions in a
  // cloud, may build requests without raw headers.
  if (headers.host === undefined) return count === 0 && httpVersion === "1.1" ? "is missing" : undefined;
  return hostSyntax.test(headers.host) ? undefined : "is not a host";
}

/** A name or an address, and a port (RFC 9110 section 7.2). It may be empty. */
const hostSyntax = /^(?:\[[\w:.%~-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;

/** Node keeps the first of several header fields, or joins them, and does not tell; so they are counted. */
function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at];
    if (given?.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}
