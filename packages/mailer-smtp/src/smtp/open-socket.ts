import { lookup as systemLookup } from "node:dns";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { isPublicAddress } from "./is-public-address.ts";
import { oneLine } from "./one-line.ts";
import type { ServerSettings } from "./server-settings.ts";
import { SmtpFault } from "./smtp-fault.ts";

const mailPorts = new Set([25, 465, 587, 2525]);

/** Connects, with TLS from the start where the settings say so. Rejects with an SmtpFault. */
export async function openSocket(server: ServerSettings, timeout: number): Promise<Socket> {
  if (server.publicOnly) assertPublicTarget(server);
  const lookup = server.publicOnly ? { lookup: publicLookup } : {};
  const socket = connect({ host: server.host, port: server.port, noDelay: true, ...lookup });
  await opened(socket, "connect", `connect to ${server.host}:${server.port}`, timeout);
  // Whatever the resolver said, this is where the connection goes.
  if (server.publicOnly && !isPublicAddress(socket.remoteAddress ?? "")) {
    socket.destroy();
    throw new SmtpFault(`${server.host} leads to a private address`);
  }
  return server.security === "tls" ? secureSocket(socket, server, timeout) : socket;
}

/** Starts TLS (1.2 or later) on a connected socket. Rejects with an SmtpFault. */
export async function secureSocket(
  socket: Socket,
  server: ServerSettings,
  timeout: number,
): Promise<TLSSocket> {
  const secure = connectTls({
    socket,
    minVersion: "TLSv1.2",
    rejectUnauthorized: server.checksCertificate,
    ...(isIP(server.host) === 0 ? { servername: server.host } : {}),
  });
  await opened(secure, "secureConnect", `set up TLS with ${server.host}:${server.port}`, timeout);
  return secure;
}

function opened(
  socket: Socket,
  event: "connect" | "secureConnect",
  deed: string,
  timeout: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      socket.destroy();
      reject(new SmtpFault(`could not ${deed}: ${oneLine(reason)}`));
    };
    const onClose = () => fail("the connection was closed");
    // Stays, so that a late error of a socket given up is heard by somebody.
    socket.on("error", (error: Error & { code?: string }) => fail(describe(error)));
    const timer = setTimeout(() => fail(`no success within ${timeout} ms`), timeout);
    socket.once("close", onClose).once("close", () => clearTimeout(timer));
    socket.once(event, () => {
      clearTimeout(timer);
      socket.off("close", onClose);
      resolve();
    });
  });
}

function describe(error: Error & { code?: string }): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(String).join("; ");
  return error.message || error.code || "unknown fault";
}

function assertPublicTarget(server: ServerSettings): void {
  if (!mailPorts.has(server.port))
    throw new SmtpFault(`port ${server.port} is no mail port (25, 465, 587, 2525)`);
  // A literal address never comes to the lookup function.
  if (isIP(server.host) !== 0 && !isPublicAddress(server.host)) {
    throw new SmtpFault(`${server.host} is a private address`);
  }
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const allowed = addresses.filter(({ address }) => isPublicAddress(address));
    const first = allowed[0];
    if (first === undefined) return callback(new Error(`${hostname} leads to a private address`), []);
    if (options.all) callback(null, allowed);
    else callback(null, first.address, first.family);
  });
};
