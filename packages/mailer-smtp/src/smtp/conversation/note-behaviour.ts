import type { ServerBehaviour } from "../pool/server-access.ts";
import type { Ending } from "./delivery.ts";
import type { Transaction, TransactionFault } from "./transaction.ts";

/**
 * If a connection refuses a message after the same count twice and the next connection accepts it, that count is the
 * limit of a connection.
 */
export function noteSession(behaviour: ServerBehaviour, refusedAfter: number | undefined): void {
  if (refusedAfter === undefined) return;
  if (behaviour.refusedAfter === refusedAfter)
    behaviour.messagesPerConnection = Math.min(behaviour.messagesPerConnection, refusedAfter);
  behaviour.refusedAfter = refusedAfter;
}

/** A server that took the sender has lost nothing of what was sent behind the content. */
export function noteAhead(
  behaviour: ServerBehaviour,
  isAhead: boolean,
  { isSenderTaken, isFollowed, inDoubt, trouble }: Omit<Transaction, "endings" | "isReusable">,
): void {
  if (isAhead && isSenderTaken) behaviour.ahead = "works";
  const isTrial = isAhead || (isFollowed && inDoubt);
  if (isTrial && behaviour.ahead !== "works") behaviour.ahead = "broken";
  if (trouble?.verdict === "astray" && isOutOfOrder(trouble.ending)) behaviour.ahead = "broken";
}

/** Silence, or a reply that tells of a command that the server can't make out or did not expect. */
const isOutOfOrder = ({ code }: Ending): boolean =>
  code === undefined || (code >= 500 && code <= 504) || code === 554;

export function notePipelining(
  behaviour: ServerBehaviour,
  isPipelined: boolean,
  isAccepted: boolean,
  trouble: TransactionFault | undefined,
): void {
  const { pipelining } = behaviour;
  if (isPipelined) {
    if (isAccepted) behaviour.pipelining = "works";
    else if (pipelining === "untried" && trouble?.verdict === "silent") behaviour.pipelining = "suspect";
  } else if (pipelining === "suspect") {
    // If the server is as silent to single commands, pipelining was not the fault.
    if (isAccepted) behaviour.pipelining = "broken";
    else if (trouble !== undefined) behaviour.pipelining = "untried";
  }
}
