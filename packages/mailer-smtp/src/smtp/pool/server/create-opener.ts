import {
  isTlsOptional,
  openConnection,
  type SessionWatch,
  type SmtpConnection,
  unwatched,
} from "../../connection/open-connection.ts";
import type { SocketWatch } from "../../connection/open-socket.ts";
import { SmtpFault, type SmtpFaultKind } from "../../connection/smtp-fault.ts";
import type { ServerSettings, SmtpTimeouts } from "../../settings/server-settings.ts";
import type { PoolClock } from "../pool-clock.ts";
import { createAddresses, type ServerAddresses } from "./create-addresses.ts";

/** Ms for which a server whose TLS failed is spoken to in cleartext without another attempt. */
const memory = 600_000;

/**
 * Opens a connection. `patience`: maximum ms for each reply, if the time-outs are longer; `remaining`: maximum ms for
 * all of them; `requiresTls`: TLS is tried even if it failed a while ago.
 */
export type Opener = (options?: {
  patience?: number | undefined;
  remaining?: number;
  requiresTls?: boolean | undefined;
  watch?: SessionWatch;
}) => Promise<SmtpConnection>;

/** Faults that may be those of one machine of several. A login that was refused is not repeated at the next. */
const ofOneAddress = new Set<SmtpFaultKind>(["network", "silent", "tls", "protocol"]);

/**
 * Creates a function that opens connections to one server: at its next address if one can't be connected to, or takes the
 * connection, and then refuses it or fails, unless that took a message's patience. If TLS is optional and fails, it falls back to cleartext, as
 * mail servers do among each other (RFC 7435), and remembers that for ten minutes. Rejects with an SmtpFault.
 */
export function createOpener(server: ServerSettings, timeouts: SmtpTimeouts, clock: PoolClock): Opener {
  let clearUntil = Number.NEGATIVE_INFINITY;
  let tlsFault: string | undefined;
  const addresses = createAddresses(server.resolver, clock);

  return async ({ patience = Number.POSITIVE_INFINITY, remaining, requiresTls, watch } = {}) => {
    const within: SmtpTimeouts = {
      ...timeouts,
      connect: Math.min(timeouts.connect, patience),
      greeting: Math.min(timeouts.greeting, patience),
      command: Math.min(timeouts.command, patience),
    };
    const until = clock.now() + (remaining ?? timeouts.conversation);
    const open = (security: ServerSettings["security"]) =>
      openSomewhere(addresses, patience, (watching) =>
        openConnection(
          { ...server, security, resolver: addresses },
          within,
          { ...(watch ?? unwatched), ...watching },
          until - clock.now(),
        ),
      );
    const openClear = async () => ({ ...(await open("none")), tlsFault });
    if (!isTlsOptional(server)) return open(server.security);
    if (requiresTls !== true && clock.now() < clearUntil) return openClear();
    try {
      const connection = await open(server.security);
      clearUntil = Number.NEGATIVE_INFINITY;
      return connection;
    } catch (error) {
      if (!(error instanceof SmtpFault) || error.kind !== "tls") throw error;
      tlsFault = error.words;
      const connection = await openClear();
      clearUntil = clock.now() + memory;
      return connection;
    }
  };
}

/** Tries to open a connection at one address after the other, each once. */
async function openSomewhere(
  addresses: ServerAddresses,
  patience: number,
  open: (watch: SocketWatch) => Promise<SmtpConnection>,
): Promise<SmtpConnection> {
  const tried = new Set<string>();
  for (;;) {
    let used: string | undefined;
    const connected = (address: string): void => {
      used = address;
    };
    try {
      return await open({ connected, unconnected: addresses.missed });
    } catch (error) {
      if (!(error instanceof SmtpFault) || used === undefined || !ofOneAddress.has(error.kind)) throw error;
      const isLate = error.kind === "silent" && patience !== Number.POSITIVE_INFINITY;
      // Those before it could not even be connected to.
      if (tried.has(used)) addresses.allFailed();
      if (!addresses.failed(used) || isLate) throw error;
      tried.add(used);
    }
  }
}
