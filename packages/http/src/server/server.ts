import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { checkOptions, type OptionChecks } from "@posthorn/core/internal";
import { assertService, limitCheck } from "./mount-checks.ts";
import { backlog, createBoundedServer, type StopOptions } from "./node/bounded-server.ts";
import { connectionsFor, readDescriptorLimit } from "./node/connection-limits.ts";
import { createNodeHandler, type NodeHandlerOptions, nodeHandlerOptions } from "./node.ts";
import type { ServedPosthorn } from "./served-posthorn.ts";
import { metricsType } from "./status-endpoints.ts";

/** Options of a standalone server. */
export interface ServerOptions extends NodeHandlerOptions {
  /**
   * Maximum number of connections at once. For a further one that is closed whose caller has kept the server waiting for
   * longest; if all wait for the server, it gets a 503. Default: three quarters of what the process's limit of descriptors
   * leaves beyond 64, at most 10,000.
   */
  maxConnections?: number | undefined;
  /** Called for each request that is refused, such as to show it to a developer. It must not throw. */
  onRefused?: ((refused: RefusedRequest) => void) | undefined;
}

const checks: OptionChecks<ServerOptions> = {
  maxConnections: limitCheck,
  onRefused: true,
  ...nodeHandlerOptions,
};

const waitCheck = [
  "a number of milliseconds from 0 on",
  (value: unknown): boolean => typeof value === "number" && value >= 0,
] as const;
const stopOptions: OptionChecks<StopOptions> = { timeoutMs: waitCheck, idleMs: waitCheck };

/** A request that got an error as its response. */
export interface RefusedRequest {
  /** The method, such as `POST`. */
  method: string;
  /** The path, without the query. That of a link in an e-mail has a secret part. */
  path: string;
  /** The status of the response. */
  status: number;
  /** The error's message. */
  message: string;
}

/** Address of a listening server. */
export interface Listening {
  host: string;
  port: number;
  url: string;
}

/** A standalone server. */
export interface PosthornServer {
  /** Node's own server, for anything that only it can do. `listen` starts it. */
  readonly server: Server;
  /** Starts to listen; returns the address. Port 0 uses a free one. Rejects if the port is taken. */
  listen(this: void, port: number, host?: string): Promise<Listening>;
  /** Serves only `/metrics` on a port of its own, without a token. Rejects if the port is taken. */
  listenForMetrics(this: void, port: number, host?: string): Promise<Listening>;
  /**
   * Accepts the connections that wait already, for at most a quarter of `timeoutMs`, and none after, and ends event
   * streams. Requests in progress, and those that arrive on open connections, are answered, which closes their
   * connections. Idle connections are closed after `idleMs` (default 250), all others after `timeoutMs` (default 20,000).
   * Rejects for other options, and goes on.
   */
  stop(this: void, options?: StopOptions): Promise<void>;
}

/**
 * Creates a server for a service (limits: reliability.md, threat 51). Links in e-mails use the service's `baseUrl`,
 * which is fixed before the server listens: use a known port, or the address of the proxy in front. Port 0 suits tests
 * that follow no links.
 */
export function createPosthornServer(posthorn: ServedPosthorn, options: ServerOptions = {}): PosthornServer {
  assertService("createPosthornServer", posthorn);
  checkOptions<object>("createPosthornServer", options, checks);
  const continuing = new WeakMap<IncomingMessage, ServerResponse>();
  const handler = createNodeHandler(posthorn, options, {
    onRead(request) {
      const response = continuing.get(request);
      if (response?.headersSent === false) response.writeContinue();
    },
    onReply(response, { status, refusal: message }) {
      closeIfStopping(response);
      if (message === undefined || options.onRefused === undefined) return;
      const { method = "GET", url = "/" } = response.req;
      options.onRefused({ method, path: url.split("?", 1)[0] ?? "/", status, message });
    },
  });
  const most = options.maxConnections ?? connectionsFor(readDescriptorLimit());
  const { server, stop, closeIfStopping } = createBoundedServer(most, handler, handler.prepareClose);
  // Who waits for "100 Continue" gets it once credentials and length are accepted (RFC 9110 section 10.1.1).
  server.on("checkContinue", (request, response) => {
    continuing.set(request, response);
    server.emit("request", request, response);
  });
  const metrics = createBoundedServer(metricsConnections, (request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const asked = isRead && request.url?.split("?", 1)[0] === "/metrics";
    if (!asked) {
      response.writeHead(404).end();
      return;
    }
    handler.metrics().then(
      (text) => response.writeHead(200, { "content-type": `${metricsType}; charset=utf-8` }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return {
    server,
    listen: (port, host) => listen(server, port, host),
    listenForMetrics: (port, host) => listen(metrics.server, port, host),
    async stop(options = {}) {
      checkOptions("stop", options, stopOptions);
      await stop(options);
      handler.close();
      // They stay available while the last requests are finished.
      await metrics.stop({ timeoutMs: 0 });
    },
  };
}

/** Maximum number of connections: a few scrapers. */
const metricsConnections = 16;

async function listen(server: Server, port: number, host = "127.0.0.1"): Promise<Listening> {
  // Node takes any other text for the path of a socket, and `undefined` for any free port.
  if (!/^\d{1,5}$/.test(String(port)) || port > 65_535)
    throw new TypeError(`listen takes a port, a number from 0 to 65535; it got ${String(port)}`);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, backlog, () => {
      server.off("error", reject);
      const bound = (server.address() as AddressInfo).port;
      const name = host.includes(":") ? `[${host}]` : host;
      resolve({ host, port: bound, url: `http://${name}:${bound}` });
    });
  });
}
