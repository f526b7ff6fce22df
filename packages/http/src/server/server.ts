import { randomUUID } from "node:crypto";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type ErrorCode, ServiceError } from "@posthorn/core";
import { errorReply } from "./error-response.ts";
import { connectionsFor, limitConnections, readDescriptorLimit } from "./node/connection-limits.ts";
import { createNodeHandler, type NodeHandlerOptions } from "./node.ts";
import type { ServedPosthorn } from "./served-posthorn.ts";
import { metricsType } from "./status-endpoints.ts";

/** Options of a standalone server. */
export interface ServerOptions extends NodeHandlerOptions {
  /**
   * Maximum number of connections at once; further ones get a 503. Default: from the process's limit of descriptors, at
   * most 10,000.
   */
  maxConnections?: number;
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
  listen(port: number, host?: string): Promise<Listening>;
  /** Serves only `/metrics` on a port of its own, without a token. Rejects if the port is taken. */
  listenForMetrics(port: number, host?: string): Promise<Listening>;
  /**
   * Stops accepting connections at once, ends event streams, lets requests in progress finish, and closes the rest
   * after `timeoutMs` (default 20,000).
   */
  stop(options?: { timeoutMs?: number }): Promise<void>;
}

/**
 * Creates a server for a service (limits: reliability.md, threat 51). Links in e-mails use the service's `baseUrl`,
 * which is fixed before the server listens: use a known port, or the address of the proxy in front. Port 0 suits tests
 * that follow no links.
 */
export function createPosthornServer(posthorn: ServedPosthorn, options: ServerOptions = {}): PosthornServer {
  const continuing = new WeakMap<IncomingMessage, ServerResponse>();
  const handler = createNodeHandler(posthorn, options, (request) => {
    const response = continuing.get(request);
    if (response?.headersSent === false) response.writeContinue();
  });
  const most = options.maxConnections ?? connectionsFor(readDescriptorLimit());
  const server = createBoundedServer(most, handler);
  // Who waits for "100 Continue" gets it once credentials and length are accepted (RFC 9110 section 10.1.1).
  server.on("checkContinue", (request, response) => {
    continuing.set(request, response);
    server.emit("request", request, response);
  });
  const metricsServer = createBoundedServer(metricsConnections, (request, response) => {
    const asked = request.url?.split("?", 1)[0] === "/metrics" && request.method === "GET";
    if (!asked) {
      response.writeHead(404).end();
      return;
    }
    handler.metrics().then(
      (text) => response.writeHead(200, { "content-type": `${metricsType}; charset=utf-8` }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  const stopServing = createStop(server, handler.close);
  const stopMetrics = createStop(metricsServer, () => {});
  return {
    server,
    listen: (port, host) => listen(server, port, host),
    listenForMetrics: (port, host) => listen(metricsServer, port, host),
    // The metrics stay available while the last requests are finished.
    stop: (stop) => stopServing(stop).finally(() => stopMetrics({ timeoutMs: 0 })),
  };
}

/** Maximum number of connections: a few scrapers. */
const metricsConnections = 16;

function createBoundedServer(maxConnections: number, listener: RequestListener): Server {
  const server = createHttpServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      noDelay: true,
    },
    (request, response) => {
      // An error of one socket does not affect any other.
      response.on("error", ignore);
      response.on("close", onClose);
      if (!refuse(request, response)) listener(request, response);
    },
  );
  const onClose = (): void => {
    // While stopping, a connection is of no use after its last response.
    if (!server.listening) setImmediate(() => server.closeIdleConnections());
  };
  const refuse = limitConnections(server, maxConnections);
  server.maxHeadersCount = 100;
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    endWith(socket, parserFaults[error.code ?? ""] ?? noHttp);
  });
  // Without a listener for "upgrade", Node ignores that header, which clients that know HTTP/2 send (RFC 9110 section 7.8).
  return server;
}

const ignore = (): void => {};

interface ParserFault {
  status: string;
  code: ErrorCode;
  message: string;
}

const noHttp: ParserFault = {
  status: "400 Bad Request",
  code: "validation_failed",
  message: "The request is not valid HTTP.",
};

const parserFaults: Record<string, ParserFault> = {
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    code: "payload_too_large",
    message: "The URL and the header fields are too large together.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: "408 Request Timeout",
    code: "validation_failed",
    message: "The request did not arrive in time.",
  },
};

/** Ends a connection with an error; closes it after 2 s if its peer neither reads nor closes. */
function endWith(socket: Duplex, { status, code, message }: ParserFault): void {
  const { headers, body } = errorReply(new ServiceError(code, { message }), randomUUID());
  const fields = { ...headers, connection: "close", "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
  socket.on("error", () => {});
  const timer = setTimeout(() => socket.destroy(), 2_000).unref();
  socket.once("close", () => clearTimeout(timer));
}

function listen(server: Server, port: number, host = "127.0.0.1"): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const bound = (server.address() as AddressInfo).port;
      const name = host.includes(":") ? `[${host}]` : host;
      resolve({ host, port: bound, url: `http://${name}:${bound}` });
    });
  });
}

function createStop(server: Server, closeHandler: () => void): PosthornServer["stop"] {
  let stopping: Promise<void> | undefined;
  return ({ timeoutMs = 20_000 } = {}) => {
    stopping ??= new Promise<void>((resolve) => {
      const deadline = setTimeout(() => server.closeAllConnections(), timeoutMs);
      server.close(() => {
        clearTimeout(deadline);
        resolve();
      });
      closeHandler();
      server.closeIdleConnections();
    });
    return stopping;
  };
}
