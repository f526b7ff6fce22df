import { isIP, type Socket } from "node:net";
import type { Agent, buildConnector } from "undici";
import { addressPatienceMs } from "../../network/address-patience.ts";
import type { HostResolver } from "../../network/create-host-resolver.ts";
import { guardedLookup } from "../../network/guarded-lookup.ts";
import { limitHandshakes } from "../../network/limit-handshakes.ts";
import { LookupFault } from "../../network/lookup-fault.ts";
import { isPublicAddress } from "../../rules/public-address.ts";
import { createContinueFilter } from "./interim-responses.ts";

const connectTimeoutMs = 10_000;
/** Room for 16 KiB of headers, for as much of a body as is read, and for the sizes of its chunks. */
const maxResponseBytes = 98_304;

/**
 * Creates an undici agent that checks the address of every new connection, so that a name that resolves differently
 * between check and connection gains nothing (reliability, rows 30 and 31). Connections kept open were checked by the
 * same rule, as each agent has only one.
 */
export function createGuardedAgent(
  undici: { Agent: typeof Agent; buildConnector: typeof buildConnector },
  allowPrivate: boolean,
  resolver: HostResolver,
  idleMs: number,
): Agent {
  const isAllowed = (address: string): boolean => allowPrivate || isPublicAddress(address);
  const connect = undici.buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    lookup: guardedLookup(resolver, isAllowed),
    autoSelectFamilyAttemptTimeout: addressPatienceMs,
  });
  return new undici.Agent({
    // undici makes an error with its stack for each header beyond its limit, of which a chunk can hold 16,000. Headers
    // are limited with the response instead.
    maxHeaderSize: 2 * maxResponseBytes,
    // An endpoint may ask to be kept connected for ten minutes, and each endpoint takes a descriptor meanwhile.
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    connect(options, callback) {
      // Addresses in the URL never reach the look-up, so they are checked here.
      if (isIP(options.hostname) !== 0 && !isAllowed(options.hostname)) {
        callback(new LookupFault(options.hostname, "blocked"), null);
        return;
      }
      // With the dot that a URL's host may end with, servers of several hosts don't know it (RFC 6066 section 3).
      const dotted = options.hostname.endsWith(".") && { servername: options.hostname.slice(0, -1) };
      connect({ ...options, ...dotted }, (error, socket) => {
        if (error) return callback(error, null);
        const { remoteAddress } = socket;
        if (isAllowed(remoteAddress ?? "")) return callback(null, guardResponses(socket));
        socket.destroy();
        callback(
          remoteAddress === undefined ? closedAtOnce() : new LookupFault(options.hostname, "blocked"),
          null,
        );
      });
    },
  });
}

/** The error of a connection that has no address any more, as its endpoint has closed it again. */
const closedAtOnce = (): Error =>
  Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" });

/** A response has more bytes than any that is read needs. */
export class ResponseTooLarge extends Error {}

const closedUnused = Symbol("closed while unused");

/**
 * Whether a request failed because its endpoint had closed a connection, kept open since an earlier response, that the
 * request was written to: nothing of an answer came (RFC 9112 section 9.3.1).
 */
export const wasClosedUnused = (error: unknown): boolean => Object(error)[closedUnused] === true;

/** Marks the error of a connection that ends between a request and its response, if it had an earlier response. */
function markIfUnused(socket: Socket): void {
  let read = 0;
  let written = 0;
  // The end is readable, too.
  socket.on("readable", () => {
    if (socket.bytesRead === read) return;
    read = socket.bytesRead;
    written = socket.bytesWritten;
  });
  socket.on("error", (error) => {
    if (read > 0 && socket.bytesRead === read && socket.bytesWritten > written)
      Object.defineProperty(error, closedUnused, { value: true });
  });
}

/**
 * Lets interim responses pass (see {@link createContinueFilter}), and ends a connection whose response is too long before
 * it has a body that could be counted: an endpoint may send headers, interim responses (RFC 9110 section 15.2) or chunk
 * extensions without end, which occupied the event loop until the time-out.
 */
function guardResponses<Any extends Socket>(socket: Any): Any {
  limitHandshakes(socket, () => new ResponseTooLarge());
  markIfUnused(socket);
  let written = socket.bytesWritten;
  let before = socket.bytesRead;
  const interim = createContinueFilter();
  const read = socket.read.bind(socket);
  socket.read = (size) => {
    const bytes: Buffer | null = read(size);
    if (bytes !== null) interim.pass(bytes);
    return bytes;
  };
  socket.on("readable", () => {
    // Requests are not pipelined, so what was written since begins the next response.
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      before = socket.bytesRead;
      interim.next();
    }
    if (socket.bytesRead - before > maxResponseBytes) socket.destroy(new ResponseTooLarge());
  });
  return socket;
}
