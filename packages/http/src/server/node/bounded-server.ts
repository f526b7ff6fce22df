import type { RequestListener, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate } from "node:timers";
import { maxTimerMs } from "@posthorn/core/internal";
import { acceptFirst } from "./accept-first.ts";
import { limitConnections } from "./connection-limits.ts";
import { closeIfCutOff } from "./ignored-upgrade.ts";
import { createFaultAnswers } from "./parser-faults.ts";
import { createReadingTurns } from "./reading-turns.ts";

/** How long a stopping server waits. */
export interface StopOptions {
  /** Ms after which all connections are closed; Infinity for never. Default 20,000. */
  timeoutMs?: number;
  /** Ms for which idle connections stay open, for requests that are already on their way. Default 250. */
  idleMs?: number;
}

/** An HTTP server within limits of time and connections, and how to stop it. */
export interface BoundedServer {
  server: Server;
  /** Has a response say that its connection closes if the server is stopping, so that its client sends nothing more there. */
  closeIfStopping(response: ServerResponse): void;
  /** Accepts the connections that wait already, and none after; resolves when the last one is closed. */
  stop(options?: StopOptions): Promise<void>;
}

/** Creates an HTTP server within limits. `onStop` is called once it begins to stop. */
export function createBoundedServer(
  maxConnections: number,
  listener: RequestListener,
  onStop: () => void = ignore,
): BoundedServer {
  let closesIdle = false;
  // An import of the module reads all of its exports, and so loads Node's WebSocket client, which takes 2.4 MB.
  const server = process.getBuiltinModule("node:http").createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      // Clients are told this. A proxy closes idle connections after a time of its own, up to Google's 600 s, and answers 502 to a
      // request that it sends as the server closes one: the proxy has to be the first. Beyond the limit, idle ones give way.
      keepAliveTimeout: 5_000,
      keepAliveTimeoutBuffer: 615_000,
      connectionsCheckingInterval: 1_000,
      noDelay: true,
      // Node would answer without a body and an id; the dispatcher refuses such a request itself.
      requireHostHeader: false,
    },
    (request, response) => {
      // An error of one socket does not affect any other.
      response.on("error", ignore);
      response.on("close", onClose);
      faults.watch(request, response);
      readInTurns(request);
      closeIfStopping(response);
      // Where its body ends is doubtful: a proxy of HTTP/1.0 may take it for another request (RFC 9112 section 6.1).
      if (request.httpVersion === "1.0" && request.headers["transfer-encoding"] !== undefined)
        response.shouldKeepAlive = false;
      if (request.headers.upgrade !== undefined) closeIfCutOff(request, response);
      if (faults.refuseVersion(request, response)) return;
      if (!refuse(request, response)) runAfterAccepting(request.socket, () => listener(request, response));
    },
  );
  // A client may end its side behind a whole request, as `nc -N` and some of HTTP/1.0 do (RFC 9112 section 9.6): by Node's
  // default it would get no answer. Node closes the connection behind that answer, and the limits of time hold for it.
  Object.assign(server, { httpAllowHalfOpen: true });
  const faults = createFaultAnswers();
  const readInTurns = createReadingTurns();
  const refuse = limitConnections(server, maxConnections);
  const runAfterAccepting = acceptFirst(server);
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.maxHeadersCount = 100;
  server.on("clientError", faults.answer);
  server.on("connect", faults.refuseTunnel);
  // Whatever else a client expects is ignored, as a server may (RFC 9110 section 10.1.1): Node's 417 has no body.
  server.on("checkExpectation", (request, response) => void server.emit("request", request, response));
  // Without a listener for "upgrade", Node ignores that header, which clients that know HTTP/2 send (RFC 9110 section 7.8).

  function onClose(): void {
    // The response may have begun before the server was stopped, and not have closed its connection.
    if (closesIdle) setImmediate(() => server.closeIdleConnections());
  }

  let stopping: Promise<void> | undefined;
  function closeIfStopping(response: ServerResponse): void {
    if (stopping !== undefined && !response.headersSent) response.shouldKeepAlive = false;
  }
  return {
    server,
    closeIfStopping,
    stop({ timeoutMs = 20_000, idleMs = 250 } = {}) {
      stopping ??= new Promise<void>((resolve) => {
        const closeIdle = (): void => {
          closesIdle = true;
          server.closeIdleConnections();
          // Node takes one that has sent nothing yet for one whose request is arriving. Browsers open such in advance.
          for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
        };
        const timers = [setTimeout(() => server.closeAllConnections(), Math.min(timeoutMs, maxTimerMs))];
        onStop();
        afterAccepting(server, timeoutMs / 4, () => {
          timers.push(setTimeout(closeIdle, Math.min(idleMs, timeoutMs, maxTimerMs)));
          // Node's own would close idle connections at once, and reset one whose request is on its way. Bun's server is no
          // server of node:net, whose method throws on it.
          const { close } = server instanceof NetServer ? NetServer.prototype : server;
          close.call(server, () => {
            for (const timer of timers) clearTimeout(timer);
            // Ends Node's checks of connections.
            server.close();
            resolve();
          });
        });
      });
      return stopping;
    },
  };
}

/** Connections that may wait to be accepted. By Node's 511, a thousand that come at once are refused, and try a second later. */
export const backlog = 4_096;

/**
 * Runs once no connection waits to be accepted, at most `longestMs` later: closing the port resets those, with the requests
 * that they have sent. Node accepts one in each turn of its event loop, so that after a turn without one none waits.
 */
function afterAccepting(server: Server, longestMs: number, run: () => void): void {
  const until = performance.now() + longestMs;
  let turns = 0;
  let hasNew = true;
  const note = (): void => {
    hasNew = true;
  };
  const look = (): void => {
    turns += 1;
    if (hasNew && turns <= backlog && performance.now() < until) {
      hasNew = false;
      setImmediate(look);
      return;
    }
    server.off("connection", note);
    run();
  };
  server.on("connection", note);
  setImmediate(look);
}

function ignore(): void {}
