import { connect, isIP, type Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, type TLSSocket } from "node:tls";
import {
  addressPatienceMs,
  guardedLookup,
  isPublicAddress,
  LookupFault,
  limitHandshakes,
} from "@posthorn/core/network";
import { ciphersFor } from "../settings/ciphers-for.ts";
import type { ServerSettings } from "../settings/server-settings.ts";
import { describeError } from "./describe-error.ts";
import { SmtpFault, type SmtpFaultKind } from "./smtp-fault.ts";

/** Bytes read at once: replies are short. */
const replyBytes = 4096;
const mailPorts = new Set([25, 465, 587, 2525]);
/** Faults of this process rather than the server. */
const ownLacks = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EADDRNOTAVAIL"]);

/** Observes a socket being opened. */
export interface SocketWatch {
  /** The server's name was resolved. */
  resolved?(): void;
  /** This one of its addresses could not be connected to, or not in time. Another may follow. */
  unconnected?(address: string): void;
  /** Connected to this one of its addresses. TLS is still to come. */
  connected?(address: string): void;
}

/** Connects, with TLS from the start if the settings say so. Rejects with an SmtpFault. */
export async function openSocket(
  server: ServerSettings,
  timeout: number,
  watch: SocketWatch = {},
): Promise<Socket> {
  if (server.publicOnly) assertPublicTarget(server);
  const isAllowed = (address: string): boolean => !server.publicOnly || isPublicAddress(address);
  const lookup = guardedLookup(server.resolver, isAllowed);
  const socket: Socket = connect({
    host: server.host,
    port: server.port,
    noDelay: true,
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.min(addressPatienceMs, Math.floor(timeout / 2))),
    lookup: (name, options, callback) =>
      lookup(name, options, (error, ...found) => {
        if (error === null) watch.resolved?.();
        callback(error, ...found);
      }),
    // By default Node allocates 64 KB for each read.
    onread: {
      buffer: Buffer.alloc(replyBytes),
      callback(length, bytes) {
        socket.emit("data", Buffer.from(bytes.subarray(0, length)));
        return true;
      },
    },
    ...(server.localAddress === undefined ? {} : { localAddress: server.localAddress }),
  });
  const miss = (address: string) => watch.unconnected?.(address);
  socket.on("connectionAttemptFailed", miss).on("connectionAttemptTimeout", miss);
  await opened(socket, "connect", `connect to ${server.host}:${server.port}`, timeout, kindOf(server));
  // Checks the address actually connected to, whatever the resolver said. One that the server has closed again has none.
  const { remoteAddress } = socket;
  if (!isAllowed(remoteAddress ?? "")) {
    socket.destroy();
    throw remoteAddress === undefined ? closedAtOnce(server) : blocked(server);
  }
  if (remoteAddress !== undefined) watch.connected?.(remoteAddress);
  return server.security === "tls" ? secureSocket(socket, server, timeout) : socket;
}

/** Starts TLS on a connected socket. Rejects with an SmtpFault. */
export async function secureSocket(
  socket: Socket,
  server: ServerSettings,
  timeout: number,
): Promise<TLSSocket> {
  const { ca, cert, key, minVersion = "TLSv1.2" } = server.tls?.() ?? {};
  let secure: TLSSocket;
  try {
    secure = connectTls({
      socket,
      minVersion,
      rejectUnauthorized: server.checksCertificate,
      // For a server given by its address, Node would not check the name in the certificate.
      checkServerIdentity: (_, certificate) => checkServerIdentity(server.host, certificate),
      // Neither an address nor a dot at the end is allowed in the server name indication (RFC 6066 section 3).
      ...(isIP(server.host) === 0 ? { servername: server.host.replace(/\.$/, "") } : {}),
      ...ciphersFor(minVersion),
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    });
  } catch (error) {
    socket.destroy();
    throw new SmtpFault("settings", `the TLS settings can't be used: ${String(error)}`);
  }
  limitHandshakes(secure, () => new Error("the server sent TLS handshakes or session tickets without end"));
  await opened(
    secure,
    "secureConnect",
    `set up TLS with ${server.host}:${server.port}`,
    timeout,
    () => "tls",
  );
  return secure;
}

function opened(
  socket: Socket,
  event: "connect" | "secureConnect",
  deed: string,
  timeout: number,
  kindOf: (error?: NodeJS.ErrnoException) => SmtpFaultKind,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string, error?: NodeJS.ErrnoException) => {
      socket.destroy();
      // Node ends its words with the address, which need not be told twice.
      const why = reason.replace(/ \S+$/, (address) => (deed.endsWith(address) ? "" : address));
      reject(new SmtpFault(kindOf(error), `could not ${deed}: ${why}`));
    };
    const onClose = () => fail("the connection was closed");
    // Stays attached, so that a late error of an abandoned socket is handled.
    socket.on("error", (error: NodeJS.ErrnoException) => fail(describeError(error), error));
    const timer = setTimeout(() => fail(`timed out after ${timeout} ms`), timeout);
    socket.once("close", onClose).once("close", () => clearTimeout(timer));
    socket.once(event, () => {
      clearTimeout(timer);
      socket.off("close", onClose);
      resolve();
    });
  });
}

/** Returns the kind of fault of a failed connection. */
const kindOf =
  ({ localAddress }: ServerSettings) =>
  (error?: NodeJS.ErrnoException): SmtpFaultKind => {
    const code = error?.code ?? "";
    const isSetting =
      (error instanceof LookupFault && error.reason === "blocked") ||
      (localAddress !== undefined && (code === "EADDRNOTAVAIL" || code === "EINVAL"));
    if (isSetting) return "settings";
    return ownLacks.has(code) ? "own" : "network";
  };

function assertPublicTarget(server: ServerSettings): void {
  if (!mailPorts.has(server.port))
    throw new SmtpFault("settings", `port ${server.port} is not a mail port (25, 465, 587, 2525)`);
  // A literal address does not go through the lookup function.
  if (isIP(server.host) !== 0 && !isPublicAddress(server.host)) {
    throw blocked(server);
  }
}

const closedAtOnce = ({ host, port }: ServerSettings): SmtpFault =>
  new SmtpFault("network", `could not connect to ${host}:${port}: the connection was closed`);

function blocked({ host }: ServerSettings): SmtpFault {
  return new SmtpFault("settings", new LookupFault(host, "blocked").message);
}
