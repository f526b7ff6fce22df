import type { ServerAccess, ServerBehaviour } from "../pool/server-access.ts";
import type { Transaction, TransactionFault } from "./transaction.ts";

/**
 * Ms after which a limit of a connection is learned anew, by two messages that take a second connection. What looked like one may have
 * been the end of a few connections at once, and would have each message connect for as long as the process runs.
 */
const sessionMemory = 600_000;

/**
 * Notes that the server accepted a message, and what that tells of it. `refusedAfter`: the number of messages after which a
 * connection had refused this one; `isPlain`: it went without a request for reports.
 */
export function noteAccepted(
  { state, pace, clock, behaviour, messagesPerConnection }: ServerAccess,
  { refusedAfter, isPlain }: { refusedAfter?: number; isPlain: boolean },
): void {
  const now = clock.now();
  state.accepted();
  pace.accepted(now);
  behaviour.refusesReports ||= isPlain;
  if (now >= behaviour.forgetsAt) {
    behaviour.messagesPerConnection = messagesPerConnection;
    behaviour.forgetsAt = Number.POSITIVE_INFINITY;
  }
  // Beside a limit of the rate, a connection was refused for that one.
  if (refusedAfter !== undefined && pace.rate() === undefined) noteSession(behaviour, refusedAfter, now);
}

/**
 * If a connection refuses a message after the same count twice and the next connection accepts it, that count is the
 * limit of a connection.
 */
function noteSession(behaviour: ServerBehaviour, refusedAfter: number, now: number): void {
  if (behaviour.refusedAfter === refusedAfter) {
    behaviour.messagesPerConnection = Math.min(behaviour.messagesPerConnection, refusedAfter);
    behaviour.forgetsAt = now + sessionMemory;
  }
  behaviour.refusedAfter = refusedAfter;
}

/**
 * Notes what a transaction tells of envelopes sent behind a content, and returns whether it met a refusal that may be of
 * the message itself: only its next transaction, with nothing before it, tells (`wasRefused`). A server that took the sender
 * has lost nothing of what was sent behind the content.
 */
export function noteAhead(
  behaviour: ServerBehaviour,
  { isAhead, wasRefused, isAccepted }: { isAhead: boolean; wasRefused: boolean; isAccepted: boolean },
  { isSenderTaken, isFollowed, inDoubt, trouble }: Omit<Transaction, "endings" | "isReusable">,
): boolean {
  const isAstray = trouble?.verdict === "astray";
  const isRefused = isAstray && trouble.ending.code !== undefined;
  if (isAhead && isSenderTaken) behaviour.ahead = "works";
  const isTrial = (isAhead && !isRefused) || (isFollowed && inDoubt);
  if (isTrial && behaviour.ahead !== "works") behaviour.ahead = "broken";
  // Silence; or what was refused beside such an envelope is taken without.
  if ((isAstray && !isRefused) || (wasRefused && isAccepted)) behaviour.ahead = "broken";
  return isRefused;
}

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
