import type { Journey } from "../pool/journey/journey.ts";
import type { PooledConnection } from "../pool/line/create-idle-connections.ts";
import type { ServerAccess, ServerBehaviour } from "../pool/server/server-access.ts";
import { statedLimit } from "./stated-limit.ts";
import type { Transaction, TransactionFault } from "./transaction.ts";

/**
 * Ms after which what was learned against a server is tried anew. A few connections that end at once look like a limit of
 * messages, and a moment's silence like a fault of pipelining; either would cost each message as long as the process runs.
 * A trial that fails costs some, too: each in turn doubles the time.
 */
const firstMemory = 600_000;
const longestMemory = 86_400_000;
/** Recipients that are remembered for the server's silence. */
const mostSilent = 1000;

/** What is known of a server in the beginning. */
export const createBehaviour = (messagesPerConnection: number): ServerBehaviour => ({
  pipelining: "untried",
  ahead: "untried",
  aheadFrom: Number.NEGATIVE_INFINITY,
  refusesReports: false,
  needsTls: false,
  noLoginUntil: Number.NEGATIVE_INFINITY,
  untaken: 0,
  untakenAt: Number.NEGATIVE_INFINITY,
  silentAt: new Set(),
  carried: 0,
  messagesPerConnection,
  forgetsAt: Number.POSITIVE_INFINITY,
  memory: firstMemory,
  clearedAt: Number.NEGATIVE_INFINITY,
  refusedAfter: undefined,
});

/** Whether a connection has carried all the messages that it may, by the settings, the server's words, or what it was found to allow. */
export const isSpent = (
  { messagesPerConnection }: ServerBehaviour,
  { connection, messages }: PooledConnection,
): boolean => messages >= Math.min(messagesPerConnection, statedLimit(connection.extensions, "MAILMAX"));

/** Sees to it that what was just learned against the server is forgotten, with all else. */
function learn(behaviour: ServerBehaviour, now: number): void {
  if (behaviour.forgetsAt !== Number.POSITIVE_INFINITY) return;
  const isRepeated = now < behaviour.clearedAt;
  behaviour.memory = isRepeated ? Math.min(behaviour.memory * 2, longestMemory) : firstMemory;
  behaviour.forgetsAt = now + behaviour.memory;
}

/** Forgets what was learned against the server, if it is time. */
export function forgetOld({ behaviour, clock, messagesPerConnection }: ServerAccess): void {
  const now = clock.now();
  if (now < behaviour.forgetsAt) return;
  behaviour.forgetsAt = Number.POSITIVE_INFINITY;
  behaviour.clearedAt = now + behaviour.memory;
  behaviour.messagesPerConnection = messagesPerConnection;
  behaviour.refusesReports = false;
  behaviour.needsTls = false;
  behaviour.silentAt.clear();
  if (behaviour.pipelining === "broken") behaviour.pipelining = "untried";
  if (behaviour.ahead === "broken") behaviour.ahead = "untried";
}

/**
 * Notes that the server accepted a message, and what that tells of it. `refusedAfter`: the number of messages after which a
 * connection had refused this one; `isPlain`: it went without a request for reports. The refusal is over: other recipients of
 * the message, who have transactions of their own, neither count it again nor need a new connection each. If some of them were
 * accepted with the request, the refusal was of one recipient, and the server takes requests.
 */
export function noteAccepted(
  { state, evidence, pace, clock, line, behaviour }: ServerAccess,
  message: Pick<Journey, "key" | "refusedAfter" | "isPlain" | "isReported" | "isFresh">,
  pooled: PooledConnection,
): void {
  const { refusedAfter, isPlain } = message;
  pooled.refusals = 0;
  behaviour.untaken = 0;
  behaviour.carried = Math.max(behaviour.carried, pooled.messages);
  if (refusedAfter !== undefined) delete message.refusedAfter;
  message.isFresh = false;
  message.isReported ||= !isPlain;
  const now = clock.now();
  pace.accepted(now);
  const refusedAt = evidence.accepted(message.key);
  if (refusedAt !== undefined) pace.limited(now, refusedAt);
  if (state.accepted(now)) line.look();
  if (isPlain && !message.isReported && !behaviour.refusesReports) {
    behaviour.refusesReports = true;
    learn(behaviour, now);
  }
  // Beside a limit of the rate, a connection was refused for that one.
  if (refusedAfter !== undefined && pace.rate() === undefined) noteSession(behaviour, refusedAfter, now);
}

/** Notes that the server was silent at this recipient. */
export function noteSilence(behaviour: ServerBehaviour, address: string, now: number): void {
  if (behaviour.silentAt.size >= mostSilent) return;
  behaviour.silentAt.add(address);
  learn(behaviour, now);
}

/** Notes that the server takes no mail in cleartext, where TLS had failed. */
export function noteTlsNeeded({ behaviour, clock }: Pick<ServerAccess, "behaviour" | "clock">): void {
  behaviour.needsTls = true;
  learn(behaviour, clock.now());
}

/**
 * If a connection refuses a message after the same count twice and the next connection accepts it, that count is the
 * limit of a connection.
 */
function noteSession(behaviour: ServerBehaviour, refusedAfter: number, now: number): void {
  if (behaviour.refusedAfter === refusedAfter) {
    behaviour.messagesPerConnection = Math.min(behaviour.messagesPerConnection, refusedAfter);
    learn(behaviour, now);
  }
  behaviour.refusedAfter = refusedAfter;
}

/**
 * Notes what a transaction tells of envelopes sent behind a content, and returns whether it met a refusal that may be of
 * the message itself: only its next transaction, with nothing before it, tells (`wasRefused`). A server that took the sender
 * has lost nothing of what was sent behind the content. One that never did, and left a content in doubt, is not tried again:
 * each trial may send an e-mail twice.
 */
export function noteAhead(
  { behaviour, clock }: ServerAccess,
  { isAhead, wasRefused, isAccepted }: { isAhead: boolean; wasRefused: boolean; isAccepted: boolean },
  { isSenderTaken, isFollowed, inDoubt, trouble }: Omit<Transaction, "endings" | "isReusable">,
): boolean {
  const isAstray = trouble?.verdict === "astray";
  const isRefused = isAstray && trouble.ending.code !== undefined;
  if (isAhead && isSenderTaken) behaviour.ahead = "works";
  const isProven = behaviour.ahead === "works";
  if (isFollowed && inDoubt && !isProven) behaviour.ahead = "harmful";
  // Silence; or what was refused beside such an envelope is taken without.
  const isLost = (isAstray && !isRefused) || (wasRefused && isAccepted);
  if (behaviour.ahead !== "harmful" && (isLost || (isAhead && !isRefused && !isProven))) {
    behaviour.ahead = "broken";
    learn(behaviour, clock.now());
  }
  return isRefused;
}

export function notePipelining(
  { behaviour, clock }: ServerAccess,
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
    if (isAccepted) {
      behaviour.pipelining = "broken";
      learn(behaviour, clock.now());
    } else if (trouble !== undefined) behaviour.pipelining = "untried";
  }
}
