import { isTlsOptional, openConnection, type SmtpConnection } from "./open-connection.ts";
import type { PoolClock } from "./pool-clock.ts";
import type { ServerSettings, SmtpTimeouts } from "./server-settings.ts";
import { SmtpFault } from "./smtp-fault.ts";

/** Ms for which a server whose TLS failed is spoken to in cleartext at once. */
const memory = 600_000;

/**
 * Makes a function that opens connections to one server. Where TLS is optional and fails, it goes on in cleartext as mail servers do
 * among each other (RFC 7435), and remembers that for ten minutes. Rejects with an SmtpFault.
 */
export function createOpener(
  server: ServerSettings,
  timeouts: SmtpTimeouts,
  clock: PoolClock,
): () => Promise<SmtpConnection> {
  let clearUntil = Number.NEGATIVE_INFINITY;
  const openClear = () => openConnection({ ...server, security: "none" }, timeouts);

  return async () => {
    if (!isTlsOptional(server)) return openConnection(server, timeouts);
    if (clock.now() < clearUntil) return openClear();
    try {
      return await openConnection(server, timeouts);
    } catch (error) {
      if (!(error instanceof SmtpFault) || error.kind !== "tls") throw error;
      const connection = await openClear();
      clearUntil = clock.now() + memory;
      return connection;
    }
  };
}
