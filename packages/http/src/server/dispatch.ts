import { fieldError, ServiceError, StorageUnavailable } from "@posthorn/core";
import type { OptionChecks } from "@posthorn/core/internal";
import type { Route } from "../contract/route.ts";
import { routes as contract } from "../contract/routes/index.ts";
import type { WireReply, WireRequest } from "../contract/wire-request.ts";
import { createPages, type PagesOptions } from "../pages/create-pages.ts";
import type { ReferenceProgram } from "../pages/reference-page.ts";
import { createTrackedLinks } from "../pages/tracked-links.ts";
import { createUnsubscribePages } from "../pages/unsubscribe-pages.ts";
import { type Credentials, credentialsFor, namingToken } from "./callers/authenticate.ts";
import { createCors } from "./callers/create-cors.ts";
import {
  createEventStream,
  type EventStream,
  type EventStreamOptions,
  streamPath,
} from "./event-stream/event-stream.ts";
import { createMetrics } from "./metrics/create-metrics.ts";
import { createMetricsWriter } from "./metrics/write-metrics.ts";
import { bearerCheck, routesCheck } from "./mount-checks.ts";
import { asPage } from "./replies/as-page.ts";
import { errorReply, jsonHeaders, toServiceError } from "./replies/error-response.ts";
import { createBodyTurns } from "./requests/body-turns.ts";
import { readTarget, type Target } from "./requests/read-target.ts";
import { requestIdOf } from "./requests/request-id.ts";
import { answerRoute } from "./routing/answer-route.ts";
import { createRouter } from "./routing/create-router.ts";
import type { ServedPosthorn } from "./served-posthorn.ts";
import { createStatusEndpoints } from "./status-endpoints.ts";

/** Options of a dispatcher: what is served, and to whom. */
export interface DispatcherOptions extends PagesOptions {
  /** Routes to serve. Default: all routes of the contract. */
  routes?: readonly Route[] | undefined;
  /** Origins whose pages may call from a browser, such as `https://app.shop.example`. Default: none. */
  corsOrigins?: readonly string[] | undefined;
  /** Limits of the event stream. */
  eventStream?: EventStreamOptions | undefined;
  /** The bearer token required for `/metrics`. Default: nobody is served, see {@link Dispatcher.metrics}. */
  metricsToken?: string | undefined;
  /** Program that renders the reference at `/docs`. Default: a plain page that needs no program. */
  reference?: ReferenceProgram | undefined;
}

/** What these options must be. */
export const dispatcherOptions: OptionChecks<DispatcherOptions> = {
  routes: routesCheck,
  corsOrigins: ["an array of origins", Array.isArray],
  eventStream: true,
  metricsToken: bearerCheck,
  reference: true,
  inbox: true,
  home: true,
  previews: true,
};

/** Answers requests of any server. */
export interface Dispatcher {
  /** Answers a request. Never rejects. */
  dispatch(request: WireRequest): Promise<WireReply>;
  /** The metrics of `/metrics`, for a host that serves them itself. */
  metrics(): Promise<string>;
  /** Ends the event streams and opens no others, and is not ready any more; other requests are answered. */
  prepareClose(): void;
  /** From now on responds with 503, and ends the event streams. */
  close(): void;
  /**
   * Whether it is closed. Connections then end with their response: Node keeps busy ones open, and with them a host's
   * server that is to end.
   */
  isClosed(): boolean;
}

const apiPrefix = "/api/v1";

/** Creates a dispatcher for a service. */
export function createDispatcher(
  posthorn: ServedPosthorn,
  options: DispatcherOptions & HostsLogin = {},
): Dispatcher {
  const metrics = createMetrics();
  const streams = createEventStream(posthorn, options.eventStream);
  const tellMetrics = createMetricsWriter(posthorn, metrics, streams.count);
  const answer = createAnswer(posthorn, { options, tellMetrics, streams });
  const cors = createCors(options.corsOrigins);
  let state: Seen["state"] = "open";
  return {
    async dispatch(request) {
      const started = performance.now();
      const requestId = requestIdOf(request);
      const seen: Seen = { route: "none", statuses: {}, credentials: "none", state };
      let reply: WireReply;
      try {
        reply = await answer(request, requestId, seen);
      } catch (thrown) {
        const error = toServiceError(namingToken(thrown, seen.credentials));
        report(posthorn, request, { requestId, error, thrown });
        reply = errorReply(error, requestId, seen.statuses);
      }
      reply = asPage(request, reply);
      metrics.record(seen.route, reply.status, performance.now() - started);
      cors(request, reply);
      if (request.method === "HEAD") reply.headOnly = true;
      return reply;
    },
    metrics: tellMetrics,
    prepareClose() {
      state = "closing";
      streams.close();
    },
    close() {
      state = "closed";
      streams.close();
    },
    isClosed: () => state === "closed",
  };
}

/** Whether a host has a login of its own is told by the document. */
interface HostsLogin {
  authenticate?: unknown;
}

interface Parts {
  options: DispatcherOptions & HostsLogin;
  tellMetrics: () => Promise<string>;
  streams: EventStream;
}

type Answer = (request: WireRequest, requestId: string, seen: Seen) => WireReply | Promise<WireReply>;

/** Creates the function that authenticates a request and has it answered. It throws refusals. */
function createAnswer(posthorn: ServedPosthorn, { options, tellMetrics, streams }: Parts): Answer {
  const routes = options.routes ?? contract;
  const findRoute = createRouter(routes);
  const status = createStatusEndpoints(posthorn, {
    routes,
    writeMetrics: tellMetrics,
    metricsToken: options.metricsToken,
    reference: options.reference,
    hostLogin: options.authenticate !== undefined,
  });
  const bodyTurns = createBodyTurns();
  const pages = createPages(options, posthorn.config);
  const unsubscribing = createUnsubscribePages(posthorn);
  const tracked = createTrackedLinks(posthorn);

  async function answerPlain(request: WireRequest, target: Target, requestId: string, seen: Seen) {
    const { path, query } = target;
    const make =
      status.find(request, path, query) ??
      unsubscribing.find(request, path) ??
      tracked.find(request, path) ??
      pages.find(request, path, query);
    if (make === undefined) {
      if (status.has(path)) return otherMethod(request.method, "GET, HEAD, OPTIONS", requestId);
      const allow = unsubscribing.allow(path) ?? tracked.allow(path) ?? pages.allow(path);
      // A host may have the path's other methods itself.
      if (allow !== undefined)
        return { ...otherMethod(request.method, allow, requestId), unrouted: true as const };
      // Also with the beginning of another service's API: /api/emails/send, /v1/emails/send.
      const within = path.replace(/^\/(?:api|v\d)(?=\/)/, "");
      const isOfApi = findRoute(request.method, within) !== undefined;
      return unrouted(
        noSuchPath(path, isOfApi ? `the API's paths begin with ${apiPrefix}` : undefined),
        requestId,
      );
    }
    assertHost(request);
    seen.route = path.replace(/^\/inbox\/.*/, "/inbox/{id}").replace(/^(\/[cou]\/).*/, "$1{token}");
    if (path === "/readyz") assertOpen(seen);
    else assertNotClosed(seen);
    const reply = await make();
    return { ...reply, headers: { "x-request-id": requestId, ...reply.headers } };
  }

  return (request, requestId, seen) => {
    if (request.method === "OPTIONS" && request.target === "*")
      return { ...otherMethod("OPTIONS", everyMethod, requestId), unrouted: true };
    const target = readTarget(request.target);
    if (target instanceof ServiceError) return unrouted(target, requestId);
    const { path, query } = target;
    if (!path.startsWith(`${apiPrefix}/`)) return answerPlain(request, target, requestId, seen);
    const apiPath = path.slice(apiPrefix.length);
    if (apiPath === streamPath) {
      seen.route = `GET ${streamPath}`;
      seen.credentials = "jwt";
      assertOpen(seen);
      assertHost(request);
      if (request.method === "GET") return streams.open(request, query, requestId);
      return otherMethod(request.method, "GET, OPTIONS", requestId);
    }
    const match = findRoute(request.method, apiPath);
    if (match === undefined) return unrouted(noSuchPath(path, hintFor(apiPath)), requestId);
    assertNotClosed(seen);
    assertHost(request);
    if ("allow" in match) return otherMethod(request.method, match.allow, requestId);
    seen.route = match.bound.route.signature;
    seen.statuses = match.bound.route.statuses;
    seen.credentials = credentialsFor(match.bound.route);
    return answerRoute(posthorn, { ...match, query }, request, { requestId, bodyTurns });
  };
}

/** `Allow` for `OPTIONS *`, which asks about the server as a whole (RFC 9110 section 9.3.7). */
const everyMethod = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

function assertOpen({ state }: Seen): void {
  if (state !== "open")
    throw new ServiceError("unavailable", { message: "The service is shutting down.", retryAfter: 1 });
}

function assertNotClosed(seen: Seen): void {
  if (seen.state === "closed") assertOpen(seen);
}

/** A proxy may have judged another of several, or another part of one that is none (RFC 9112 section 3.2). */
function assertHost({ hostFault }: WireRequest): void {
  if (hostFault !== undefined) throw fieldError("Host", hostFault);
}

/** Facts about a request that are known once it is answered, for metrics and errors. */
interface Seen {
  route: string;
  statuses: Route["statuses"];
  credentials: Credentials;
  /** The dispatcher's state when the request arrived. */
  state: "open" | "closing" | "closed";
}

/** Without a route no body is read: what is too large is the URL, for which there is a status of its own (RFC 9112 section 3). */
function unrouted(error: ServiceError, requestId: string): WireReply {
  return { ...errorReply(error, requestId, { payload_too_large: 414 }), unrouted: true };
}

/** Unlike a missing resource, a missing path is a mistake of whoever wrote the program, so it is named. */
function noSuchPath(path: string, hint: string | undefined): ServiceError {
  const named = path.length > longestNamed ? `${path.slice(0, longestNamed)}…` : path;
  const told = path.length > 1 && path.endsWith("/") ? "paths have no slash at their end" : hint;
  const message = `There is no path ${named}${told === undefined ? "" : `: ${told}`}.`;
  return new ServiceError("not_found", { message });
}

const hintFor = (apiPath: string): string =>
  apiPath.startsWith(`${apiPrefix}/`)
    ? `a client's URL ends before ${apiPrefix}`
    : "/docs lists those of the API";

/** Characters of a path that an error repeats. */
const longestNamed = 100;

function otherMethod(method: string, allow: string, requestId: string): WireReply {
  if (method === "OPTIONS") {
    const { "content-type": _, ...headers } = jsonHeaders(requestId);
    return { status: 204, headers: { ...headers, allow }, body: "" };
  }
  const taken = allow.split(", ").filter((one) => one !== "HEAD" && one !== "OPTIONS");
  const message = `The path takes ${taken.join(" or ")} only.`;
  const reply = errorReply(new ServiceError("method_not_allowed", { message }), requestId);
  reply.headers.allow = allow;
  return reply;
}

interface Refused {
  requestId: string;
  error: ServiceError;
  thrown: unknown;
}

/**
 * Logs internal errors, why the storage is unavailable, and refusals at level debug, without the query, and the path's
 * secret parts and addresses.
 */
function report(
  { logger }: ServedPosthorn,
  request: WireRequest,
  { requestId, error, thrown }: Refused,
): void {
  const path = (request.target.split("?", 1)[0] ?? "")
    .slice(0, 1024)
    .replace(/^(\/[cou]\/|\/api\/v1\/inbound\/[^/]*\/).*/, "$1…")
    .split("/")
    .map((part) => (/@|%40/.test(part) ? "…" : part))
    .join("/");
  const { method, ip } = request;
  // A process that only accepts has no work in the background that would tell. Without other fields it is told once a
  // minute.
  if (thrown instanceof StorageUnavailable && !thrown.isFinal)
    logger.warn({ err: thrown }, "requests are answered 503: the storage is unavailable");
  if (error.code === "internal_error") {
    logger.error({ requestId, method, path, err: thrown }, "a request failed");
  } else {
    const { code, message } = error;
    logger.debug({ requestId, method, path, ip, code, reason: message }, "a request was refused");
  }
}
