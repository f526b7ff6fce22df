import { readFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { requestIdOf } from "../requests/request-id.ts";
import { closingReply } from "./closing-reply.ts";
import { createWaitingCallers } from "./waiting-callers.ts";

/** Descriptors reserved for files, the database, mail servers and webhooks. */
const reserved = 64;
const maxOpenConnections = 10_000;
/** Ms that an excess connection has for its request, which gets a 503. */
const refusalMs = 2_000;

/**
 * Returns the number of connections for a process with that many descriptors: three quarters of those not reserved, at
 * most 10,000.
 */
export function connectionsFor(descriptors: number): number {
  return Math.max(8, Math.min(maxOpenConnections, Math.floor((descriptors - reserved) * 0.75)));
}

/**
 * Reads the process's current limit of descriptors; infinite if the system tells none. Node itself raises it to the
 * hard limit at start.
 */
export function readDescriptorLimit(): number {
  try {
    const limit = /^Max open files +(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return limit === undefined || limit === "unlimited" ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    // Without Linux' /proc, a process report is read, which is slower by tens of milliseconds.
    const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
    const soft = Number(report.userLimits?.open_files?.soft);
    return Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft;
  }
}

const tooMany = "Too many connections are open; try again later.";

/** Whether a request came over an excess connection; if so, it has been answered. */
export type Refuse = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Limits a server's connections. For an excess connection the one is closed whose caller has kept the server waiting for
 * longest, so that whoever only opens connections, keeps idle ones, never ends a header or a body, or reads no response
 * keeps nobody out. If all others wait for the server, the excess connection gets a 503 for its first request and is
 * closed. Because these use descriptors too, only an eighth more are accepted, and further ones are closed without a
 * response.
 */
export function limitConnections(server: Server, most: number): Refuse {
  const spare = new WeakSet<Socket>();
  const callers = createWaitingCallers();
  let open = 0;
  server.maxConnections = most + Math.max(2, Math.floor(most / 8));
  server.on("connection", (socket: Socket) => {
    open += 1;
    callers.add(socket);
    socket.once("close", () => {
      open -= 1;
    });
    if (open <= most) return;
    const oldest = callers.findOldest(socket);
    if (oldest !== undefined) {
      oldest.destroy();
      return;
    }
    spare.add(socket);
    const timer = setTimeout(() => socket.destroy(), refusalMs).unref();
    socket.once("close", () => clearTimeout(timer));
  });
  function onClose(this: ServerResponse): void {
    callers.end(this.req.socket);
  }
  return (request, response) => {
    callers.begin(request);
    response.on("close", onClose);
    if (!spare.has(request.socket)) return false;
    const { status, fields, body } = closingReply("unavailable", tooMany, requestIdOf(request));
    response.writeHead(status, fields).end(body);
    return true;
  };
}
