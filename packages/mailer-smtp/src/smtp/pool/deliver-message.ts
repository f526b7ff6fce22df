import { createWatchdog } from "../connection/create-watchdog.ts";
import { SmtpFault } from "../connection/smtp-fault.ts";
import type { Delivery, Ending } from "../conversation/delivery.ts";
import { maxRecipients } from "../conversation/envelope-commands.ts";
import { followUp } from "../conversation/follow-up.ts";
import { forgetOld, noteAccepted, noteAhead, notePipelining } from "../conversation/note-behaviour.ts";
import { mayGainTls } from "../conversation/refusal-of.ts";
import { statedLimit } from "../conversation/stated-limit.ts";
import { transact } from "../conversation/transact.ts";
import type { Transaction, TransactionFault, TransactionOptions } from "../conversation/transaction.ts";
import { closedHold } from "./closed-hold.ts";
import type { PooledConnection } from "./create-idle-connections.ts";
import type { Journey, Progress } from "./journey.ts";
import type { ServerAccess } from "./server-access.ts";
import { silence } from "./silence.ts";
import { withoutAddresses } from "./without-addresses.ts";

/** The least fraction of its patience that a message waits for each reply. */
const leastPart = 6;
const maxTurns = 12;
/** Refusals for the server's limits after which a message moves to another server, if it has one. */
const maxLimits = 2;
/** Refusals for limits, with others accepted before each, after which the limit is one of the message's own. */
const maxOvertaken = 2;
/** Ms that must be left of a conversation for another attempt. */
const leastConversation = 1000;
const maxFailures = 3;
/** Ms for which a message waits after the server's limits used up its turns. */
const limitedPause = 5000;
/** Words for limits on connections rather than messages. */
const connectionWords = /connection|concurren|session/i;

/**
 * Delivers one message as far as possible, over as many connections as needed if the connection or the server is at
 * fault.
 */
export async function deliverMessage(access: ServerAccess, delivery: Delivery): Promise<Progress> {
  const journey: Journey = {
    delivery,
    since: access.clock.now(),
    endings: delivery.to.map(() => undefined),
    inDoubt: false,
    remaining: access.timeouts.conversation,
    until: Number.POSITIVE_INFINITY,
    isFresh: false,
    isPlain: false,
    isReported: false,
    isAstray: false,
    mostRecipients: maxRecipients,
    turns: 0,
    failures: 0,
    limits: 0,
    overtaken: 0,
    acceptedBefore: Number.POSITIVE_INFINITY,
  };
  while (journey.hold === undefined && journey.endings.includes(undefined)) {
    journey.turns += 1;
    const turn = await access.line.turn(delivery, {
      isFresh: journey.isFresh,
      mayFollow: journey.turns === 1,
    });
    delivery.log.ended("wait");
    if (turn.kind === "held") journey.hold = turn.hold;
    else if (!(turn.kind === "reused" && turn.isAhead) && delivery.isStillOurs?.() === false) {
      access.line.over(turn.kind === "reused" ? turn.pooled : undefined, "keep");
      journey.hold = closedHold;
    } else if (turn.kind === "reused" && mayGainTls(access, delivery, turn.pooled.connection)) {
      journey.isFresh = true;
      access.line.over(turn.pooled, "keep");
    } else {
      journey.until = access.clock.now() + journey.remaining;
      const pooled = turn.kind === "reused" ? turn.pooled : await connect(access, journey);
      const isAhead = turn.kind === "reused" && turn.isAhead;
      if (pooled !== undefined) await attempt(access, journey, { pooled, isAhead });
      journey.remaining = journey.until - access.clock.now();
    }
  }
  return journey;
}

async function connect(access: ServerAccess, journey: Journey): Promise<PooledConnection | undefined> {
  const { state, line, clock } = access;
  try {
    const connection = await access.open({
      patience: patienceLeft(access, journey),
      remaining: journey.until - clock.now(),
      requiresTls: journey.delivery.requiresTls,
      watch: journey.delivery.log.session,
    });
    const { socket } = connection.channel;
    const hear = () => state.hear(clock.now());
    // Counts replies and accepted pieces of a message as signs of life.
    socket.on("data", hear).on("drain", hear);
    hear();
    state.connected(line.open());
    line.look();
    return { connection, messages: 0, isAhead: false, watchdog: createWatchdog() };
  } catch (error) {
    if (!(error instanceof SmtpFault)) {
      line.over(undefined, "close");
      throw error;
    }
    const now = clock.now();
    state.cannotConnect(error, line.open() - 1, now);
    line.over(undefined, "close");
    if (isOutOfTime(journey, now) && state.hold(now) === undefined)
      end(journey, { outcome: "deferred", reply: error.words });
    else if (journey.turns >= maxTurns)
      journey.hold = { cause: "limited", reason: error.words, retryAfterMs: limitedPause };
    return undefined;
  }
}

/**
 * Remaining ms of the message's patience. Time waiting behind other messages counts if the server was silent to them
 * too.
 */
function patienceLeft({ state, clock }: ServerAccess, { since, delivery }: Journey): number | undefined {
  const { patience } = delivery;
  if (patience === undefined) return undefined;
  const silence = clock.now() - Math.max(since, state.heardAt());
  return Math.ceil(Math.max(patience - silence, patience / leastPart));
}

async function attempt(
  access: ServerAccess,
  journey: Journey,
  { pooled, isAhead }: { pooled: PooledConnection; isAhead: boolean },
): Promise<void> {
  const { behaviour, timeouts, line } = access;
  const { endings } = journey;
  forgetOld(access);
  const open: number[] = [];
  const most = Math.min(journey.mostRecipients, statedLimit(pooled.connection.extensions, "RCPTMAX"));
  for (let index = 0; index < endings.length && open.length < most; index += 1)
    if (endings[index] === undefined) open.push(index);
  const isPipelined =
    pooled.connection.extensions.has("PIPELINING") &&
    (behaviour.pipelining === "untried" || behaviour.pipelining === "works");
  pooled.messages += 1;
  const options: TransactionOptions = {
    timeouts,
    remaining: journey.until - access.clock.now(),
    isPipelined,
    pipelinePatience: behaviour.pipelining === "works" ? timeouts.command : access.pipelinePatience,
    // An envelope sent ahead was written before this is known.
    dsn: !isAhead && (journey.isPlain || behaviour.refusesReports) ? [] : access.dsn,
    isAccount: access.isAccount,
    isReused: pooled.messages > 1,
    isAhead,
    isAheadProven: behaviour.ahead === "works",
    aheadPatience: access.aheadPatience,
    follow: () => (isPipelined ? followUp(access, pooled) : undefined),
  };
  let transaction: Transaction;
  try {
    transaction = await transact(pooled.connection, partOf(access, journey, open), options);
  } catch (error) {
    // A file can't be read, for example while the database is unavailable: not the server's fault.
    line.over(pooled, "close");
    throw error;
  }
  for (let place = 0; place < open.length; place += 1)
    endings[open[place] as number] = transaction.endings[place];
  journey.inDoubt ||= transaction.inDoubt;
  journey.mostRecipients = transaction.mostRecipients ?? journey.mostRecipients;
  const isAccepted = transaction.endings.some((ending) => ending?.outcome === "accepted");
  if (transaction.isLetGo) {
    journey.hold = closedHold;
    line.over(pooled, "close");
    return;
  }
  if (isAccepted) noteAccepted(access, journey);
  notePipelining(access, isPipelined, isAccepted, transaction.trouble);
  journey.isAstray = noteAhead(access, { isAhead, isAccepted, wasRefused: journey.isAstray }, transaction);
  if (transaction.trouble !== undefined) {
    const hasSettled = transaction.endings.some((ending) => ending !== undefined);
    face(access, journey, transaction.trouble, { messages: pooled.messages, hasSettled });
    line.over(pooled, "close");
  } else if (transaction.isReusable) access.settle(pooled, isAccepted || pooled.isAhead);
  else line.over(pooled, "close");
}

/** The delivery to these recipients, which are still open. */
function partOf(access: ServerAccess, journey: Journey, open: readonly number[]): Delivery {
  const { delivery } = journey;
  if (open.length === delivery.to.length && delivery.patience === undefined) return delivery;
  const to = open.map((index) => delivery.to[index] ?? "");
  return { ...delivery, to, patience: patienceLeft(access, journey) };
}

/**
 * Decides what happens to a message whose transaction had no verdict on it, as the `messages`-th message of its
 * connection. `hasSettled`: it had one on some recipients, which the server refused or deferred.
 */
function face(
  access: ServerAccess,
  journey: Journey,
  trouble: TransactionFault,
  { messages, hasSettled }: { messages: number; hasSettled: boolean },
): void {
  const { state, line, clock, pace, behaviour } = access;
  const { verdict, ending, isContent, isSlow } = trouble;
  const words = withoutAddresses(ending.reply, journey.delivery.to);
  const now = clock.now();
  const others = line.open() - 1;
  if (verdict === "astray" || verdict === "reports") {
    journey.isFresh = true;
    journey.isPlain ||= verdict === "reports";
    return;
  }
  if (trouble.isTooSlow) {
    // The server accepted nothing, so another server may have the message; a new connection here would only delay it.
    state.silent(words, now);
    journey.hold = silence(words);
    return;
  }
  if (verdict === "silent" && behaviour.pipelining === "suspect") {
    journey.isFresh = true;
    return;
  }
  const isLate = isOutOfTime(journey, now);
  // Postfix ends a connection after twenty refusals, also temporary ones: that is about these recipients, and each turn
  // settles some. A 421 to DATA comes before any content.
  const isForRefusals = hasSettled && verdict === "closing" && !isSlow && (!isContent || ending.code === 421);
  // A connection that has carried mail may have reached its limit, lost its login or died: only a new one tells about
  // the server.
  if ((isForRefusals || (messages > 1 && journey.turns < maxTurns)) && !isLate) {
    journey.isFresh = true;
    if (!isContent && !isForRefusals) journey.refusedAfter = messages - 1;
    const isOwn = state.isBlamed(journey.delivery.envelopeId);
    if (verdict === "limited" && !isOwn && pace.rate() !== undefined) pace.limited(now);
    return;
  }
  // A new one refused it as well: the count of the one before was not the reason.
  delete journey.refusedAfter;
  if (verdict === "limited") slowDown(access, journey, trouble, others);
  else if (verdict === "unclear" && ending.outcome === "refused") settleAs(journey, ending);
  // One connection too many is the fault of neither this message nor the server.
  else if (verdict !== "closing" || isContent || isLate || others === 0 || !state.lower(others, now)) {
    const cause = verdict === "settings" ? "settings" : "unreachable";
    // What a workspace's server defers for no reason of its own says nothing of the server until it is all mail.
    const isOnce = verdict === "unclear" && access.isAccount;
    state.strike({ message: journey.delivery.envelopeId, cause, reason: words, isOnce }, now);
    journey.failures += 1;
    const hold = state.hold(now);
    if (hold !== undefined) journey.hold = hold;
    else if (isContent || isSlow || journey.failures >= maxFailures)
      end(journey, ending, verdict !== "unclear");
  }
  if (isLate && journey.hold === undefined) end(journey, ending, verdict !== "unclear");
}

/** Whether too little of the message's conversation is left for another attempt. */
const isOutOfTime = ({ until }: Journey, now: number): boolean => until - now < leastConversation;

/**
 * Ends a message. No final dot was sent, so the server accepted nothing: another server may have the message at once,
 * without a further attempt, if there is one and it `mayMove`.
 */
function end(journey: Journey, ending: Ending, mayMove = true): void {
  const { patience, to } = journey.delivery;
  if (mayMove && patience !== undefined) journey.hold = silence(withoutAddresses(ending.reply, to));
  else settleAs(journey, ending);
}

/**
 * The server accepts no more for now: concurrency or rate is reduced, and the message queues again. If others are accepted
 * meanwhile, again and again, the limit is that of its sender or recipient, and it alone is deferred.
 */
function slowDown(
  { state, pace, clock }: ServerAccess,
  journey: Journey,
  { ending, isContent }: TransactionFault,
  others: number,
) {
  const { reply } = ending;
  const { envelopeId } = journey.delivery;
  const accepted = state.acceptedCount();
  const isOvertaken = accepted > journey.acceptedBefore && !connectionWords.test(reply);
  if (isOvertaken) journey.overtaken += 1;
  journey.acceptedBefore = accepted;
  if (journey.overtaken >= maxOvertaken) state.blame(envelopeId);
  if (state.isBlamed(envelopeId)) return settleAs(journey, ending);
  const words = withoutAddresses(reply, journey.delivery.to);
  const now = clock.now();
  if (others > 0 && connectionWords.test(reply)) state.lower(others, now);
  else if (pace.limited(now)) state.limited(words, now);
  journey.isFresh = false;
  if (!isContent) journey.limits += 1;
  const mayMove = !isContent && journey.delivery.patience !== undefined && journey.limits >= maxLimits;
  if (mayMove || journey.turns >= maxTurns)
    journey.hold = state.hold(now) ?? { cause: "limited", reason: words, retryAfterMs: limitedPause };
}

function settleAs(journey: Journey, ending: Ending): void {
  for (const index of journey.endings.keys()) journey.endings[index] ??= ending;
}
