import { clientNetwork } from "@posthorn/core/internal";
import type { SMTPServerSession } from "smtp-server";

/** Most connections from one network: a quarter of all, so that no client alone keeps the others out. */
export const mostOfOne = 25;
/** Ms in which a client has to name one of our addresses, counted anew after each message. */
const envelopeMs = 60_000;
/** Ms for the rest of a message, from its first accepted recipient on; RSET does not count them anew. */
const messageMs = 300_000;

type Client = Pick<SMTPServerSession, "id" | "remoteAddress">;

/** Bounds what the clients of the inbound port can occupy. */
export interface InboundClients {
  /** Counts a new connection; `false` if its network has enough of them. */
  admit(client: Client): boolean;
  /** A recipient is accepted: the message may follow. */
  expectMessage(client: Client): void;
  /** The message has ended: another may follow. */
  expectEnvelope(client: Client): void;
  /** The connection is closed. */
  leave(client: Client): void;
}

/**
 * Creates the bounds. `end` closes a connection whose client takes too long: the time-out of the server itself begins
 * anew with each byte, so that a few slow clients would keep all others out for ever.
 */
export function guardInboundClients(end: (id: string) => void): InboundClients {
  const counts = new Map<string, number>();
  const deadlines = new Map<string, { timer: NodeJS.Timeout; ms: number }>();

  const allow = ({ id }: Client, ms: number): void => {
    clearTimeout(deadlines.get(id)?.timer);
    deadlines.set(id, { timer: setTimeout(end, ms, id).unref(), ms });
  };
  /** A client may be gone while its message is stored. */
  const expectNext = (client: Client, ms: number): void => {
    const deadline = deadlines.get(client.id);
    if (deadline !== undefined && deadline.ms !== ms) allow(client, ms);
  };
  return {
    admit(client) {
      const network = clientNetwork(client.remoteAddress);
      const count = counts.get(network) ?? 0;
      if (count >= mostOfOne) return false;
      counts.set(network, count + 1);
      allow(client, envelopeMs);
      return true;
    },
    expectMessage: (client) => expectNext(client, messageMs),
    expectEnvelope: (client) => expectNext(client, envelopeMs),
    leave({ id, remoteAddress }) {
      if (!deadlines.has(id)) return;
      clearTimeout(deadlines.get(id)?.timer);
      deadlines.delete(id);
      const network = clientNetwork(remoteAddress);
      const count = counts.get(network) ?? 0;
      if (count > 1) counts.set(network, count - 1);
      else counts.delete(network);
    },
  };
}
