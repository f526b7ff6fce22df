import { createServer as createHttpServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type NodeHandlerOptions, toNodeHandler } from "./node.ts";
import type { Posthorn } from "./posthorn.ts";

/** Options of a server of our own. */
export interface ServerOptions extends NodeHandlerOptions {
  /** Connections at once; further ones are refused. Default 10,000. */
  maxConnections?: number;
}

/** A server of our own. */
export interface PosthornServer {
  readonly server: Server;
  /** Begins to listen; where. Port 0 takes a free one. Rejects where the port is taken. */
  listen(port: number, host?: string): Promise<{ host: string; port: number; url: string }>;
  /** Stops accepting at once, ends event streams, lets requests in flight finish, and after `timeoutMs` (default 20,000) cuts off the rest. */
  stop(options?: { timeoutMs?: number }): Promise<void>;
}

/**
 * Makes a server over a service (reliability.md, threat 51, for its limits). Links in mails are made from the service's `baseUrl`, which is
 * fixed before the server listens: use a port that is known, or give the address of the proxy in front. Port 0 suits tests whose links
 * nobody follows.
 */
export function createServer(posthorn: Posthorn, options: ServerOptions = {}): PosthornServer {
  const handler = toNodeHandler(posthorn, options);
  const server = createHttpServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      noDelay: true,
    },
    (request, response) => {
      // A socket that breaks off concerns nobody else.
      response.on("error", () => {});
      // Once stopping, a connection is of no more use after its last answer.
      response.on("close", () => {
        if (!server.listening) setImmediate(() => server.closeIdleConnections());
      });
      handler(request, response);
    },
  );
  server.maxHeadersCount = 100;
  server.maxConnections = options.maxConnections ?? 10_000;
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const status = statusLines[error.code ?? ""] ?? "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  server.on("upgrade", (_, socket) => {
    socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  return {
    server,
    listen: (port, host) => listen(server, port, host),
    stop: createStop(server, handler.close),
  };
}

const statusLines: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

function listen(
  server: Server,
  port: number,
  host = "127.0.0.1",
): Promise<{ host: string; port: number; url: string }> {
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
