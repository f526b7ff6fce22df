import type { MailHold } from "@posthorn/core";
import type { Delivery, Ending } from "../../conversation/delivery.ts";

/** Connections over which a message is tried before it waits again. */
export const maxTurns = 12;

/** Progress of one message. */
export interface Progress {
  /** In the order of the recipients; `undefined` for those not settled, which then get a hold. */
  endings: (Ending | undefined)[];
  inDoubt: boolean;
  hold?: MailHold;
}

/** One message on its way over as many connections as it needs. */
export interface Journey extends Progress {
  delivery: Delivery;
  /** Tells the message from others, also at its later attempts if it has an identifier. */
  key: string | symbol;
  /** When it began. */
  since: number;
  /** Ms left for its conversation at the begin of its turn. Waiting for a turn does not count. */
  remaining: number;
  /** When the conversation has to end, by the pool's clock. */
  until: number;
  /** Whether the message needs a new connection next. */
  isFresh: boolean;
  /** Whether others go before it next, as what becomes of them tells who is at fault. */
  rests: boolean;
  /** Whether they did. */
  hasRested: boolean;
  turns: number;
  /** Whether its commands wait for each reply. */
  isSingle: boolean;
  /** Whether it goes without a request for reports, which the server refused. */
  isPlain: boolean;
  /** Whether the server accepted it for others before that. */
  isReported: boolean;
  /** Whether it was refused beside an envelope that was sent behind a content, which may be why. */
  isAstray: boolean;
  /** Recipients, by their index, at which the server ended the connection or was silent, which may be why: they go last. */
  suspects: Set<number>;
  /** Whether the last of the others goes first, as the server ended the connection at the first: more such may follow it. */
  isBackward: boolean;
  /** Recipients that its next transaction may have. */
  mostRecipients: number;
  /** Number of recipients at which the server was silent. */
  silences: number;
  /** Number of new connections that failed too. */
  failures: number;
  /** Number of refusals for the server's limits, before it had the content. */
  limits: number;
  /** Number of those after the whole content. */
  contents: number;
  /** How often the server ended a connection that may have been one too many; the message itself was why, if again. */
  crowded?: "once" | "again";
  /** Number of messages after which a connection refused this one. */
  refusedAfter?: number;
}
