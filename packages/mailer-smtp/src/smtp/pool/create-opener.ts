import {
  isTlsOptional,
  openConnection,
  type SessionWatch,
  type SmtpConnection,
} from "../connection/open-connection.ts";
import { SmtpFault } from "../connection/smtp-fault.ts";
import type { ServerSettings, SmtpTimeouts } from "../settings/server-settings.ts";
import type { PoolClock } from "./pool-clock.ts";

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

/**
 * Creates a function that opens connections to one server. If TLS is optional and fails, it falls back to cleartext, as
 * mail servers do among each other (RFC 7435), and remembers that for ten minutes. Rejects with an SmtpFault.
 */
export function createOpener(server: ServerSettings, timeouts: SmtpTimeouts, clock: PoolClock): Opener {
  let clearUntil = Number.NEGATIVE_INFINITY;
  let tlsFault: string | undefined;

  return async ({ patience = Number.POSITIVE_INFINITY, remaining, requiresTls, watch } = {}) => {
    const within: SmtpTimeouts = {
      ...timeouts,
      connect: Math.min(timeouts.connect, patience),
      greeting: Math.min(timeouts.greeting, patience),
      command: Math.min(timeouts.command, patience),
    };
    const openClear = async () => ({
      ...(await openConnection({ ...server, security: "none" }, within, watch, remaining)),
      tlsFault,
    });
    if (!isTlsOptional(server)) return openConnection(server, within, watch, remaining);
    if (requiresTls !== true && clock.now() < clearUntil) return openClear();
    try {
      const connection = await openConnection(server, within, watch, remaining);
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
