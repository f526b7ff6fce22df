import type { MailHold } from "@posthorn/core";
import type { Delivery, Ending } from "../conversation/delivery.ts";

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
  /** When it began. */
  since: number;
  /** Ms left for its conversation at the begin of its turn. Waiting for a turn does not count. */
  remaining: number;
  /** When the conversation has to end, by the pool's clock. */
  until: number;
  /** Whether the message needs a new connection next. */
  isFresh: boolean;
  turns: number;
  /** Whether it goes without a request for reports, which the server refused. */
  isPlain: boolean;
  /** Whether the server accepted it for others before that. */
  isReported: boolean;
  /** Whether it was refused beside an envelope that was sent behind a content, which may be why. */
  isAstray: boolean;
  /** Recipients that its next transaction may have. */
  mostRecipients: number;
  /** Number of new connections that failed too. */
  failures: number;
  /** Number of refusals for the server's limits, before it had the content. */
  limits: number;
  /** Number of those after the whole content. */
  contents: number;
  /** Number of those before which others were accepted since the last one, and messages accepted until that. */
  overtaken: number;
  acceptedBefore: number;
  /** Whether the server ended a connection that may have been one too many. */
  wasCrowded: boolean;
  /** Number of messages after which a connection refused this one. */
  refusedAfter?: number;
}
