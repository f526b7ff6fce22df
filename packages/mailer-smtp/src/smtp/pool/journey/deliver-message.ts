import type { MailHold } from "@posthorn/core";
import { createWatchdog } from "../../connection/create-watchdog.ts";
import { SmtpFault } from "../../connection/smtp-fault.ts";
import type { Delivery } from "../../conversation/delivery.ts";
import { maxRecipients } from "../../conversation/envelope-commands.ts";
import { followUp } from "../../conversation/follow-up.ts";
import { forgetOld, noteAccepted, noteAhead, notePipelining } from "../../conversation/note-behaviour.ts";
import { mayGain, noLogin } from "../../conversation/refusal-of.ts";
import { statedLimit } from "../../conversation/stated-limit.ts";
import { transact } from "../../conversation/transact.ts";
import type { Transaction, TransactionOptions } from "../../conversation/transaction.ts";
import { closedHold } from "../closed-hold.ts";
import { limitedHold } from "../limited-hold.ts";
import type { PooledConnection } from "../line/create-idle-connections.ts";
import type { ServerAccess } from "../server/server-access.ts";
import { endJourney } from "./end-journey.ts";
import { faceTrouble } from "./face-trouble.ts";
import { isOutOfTime } from "./is-out-of-time.ts";
import { type Journey, maxTurns, type Progress } from "./journey.ts";

/** The least fraction of its patience that a message waits for each reply. */
const leastPart = 6;

/**
 * Delivers one message as far as possible, over as many connections as needed if the connection or the server is at
 * fault.
 */
export async function deliverMessage(access: ServerAccess, delivery: Delivery): Promise<Progress> {
  const journey: Journey = {
    delivery,
    key: delivery.envelopeId ?? Symbol(),
    since: access.clock.now(),
    endings: delivery.to.map(() => undefined),
    inDoubt: false,
    remaining: access.timeouts.conversation,
    until: Number.POSITIVE_INFINITY,
    isFresh: false,
    rests: false,
    hasRested: false,
    isSingle: false,
    isPlain: false,
    isReported: false,
    isAstray: false,
    suspects: silentOnes(access, delivery),
    isBackward: false,
    mostRecipients: maxRecipients,
    turns: 0,
    silences: 0,
    failures: 0,
    limits: 0,
    contents: 0,
  };
  while (journey.hold === undefined && journey.endings.includes(undefined)) {
    journey.turns += 1;
    const turn = await access.line.turn(delivery, {
      isFresh: journey.isFresh,
      isAgain: journey.turns > 1,
      rests: journey.rests,
      isWhole: isWhole(journey),
    });
    journey.hasRested ||= journey.rests;
    journey.rests = false;
    delivery.log.ended("wait");
    if (turn.kind === "held") journey.hold = turn.hold;
    else if (!(turn.kind === "reused" && turn.isAhead) && delivery.isStillOurs?.() === false) {
      access.line.over(delivery, turn.kind === "reused" ? turn.pooled : undefined, "keep");
      journey.hold = closedHold;
    } else if (turn.kind === "reused" && mayGain(access, delivery, turn.pooled.connection)) {
      journey.isFresh = true;
      access.line.over(delivery, turn.pooled, "keep");
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

/** The recipients at which the server was silent, of several. */
function silentOnes({ behaviour: { silentAt } }: ServerAccess, { to }: Delivery): Set<number> {
  if (silentAt.size === 0 || to.length === 1) return new Set();
  return new Set([...to.keys()].filter((index) => silentAt.has(to[index] ?? "")));
}

/** Whether the next transaction is of all recipients, with the request for reports: what is sent ahead is. */
const isWhole = ({ delivery, endings, suspects, mostRecipients, isPlain, isSingle }: Journey): boolean =>
  !isPlain &&
  !isSingle &&
  suspects.size === 0 &&
  delivery.to.length <= mostRecipients &&
  endings.every((ending) => ending === undefined);

/** For a message that needs a login which the server did not offer. */
const unoffered: MailHold = { cause: "settings", reason: noLogin, retryAfterMs: 1000 };

async function connect(access: ServerAccess, journey: Journey): Promise<PooledConnection | undefined> {
  const { state, line, clock, behaviour } = access;
  const { needsLogin } = journey.delivery;
  // Each of those that wait would open a connection in vain.
  if (needsLogin === true && clock.now() < behaviour.noLoginUntil) {
    journey.hold = unoffered;
    line.over(journey.delivery, undefined, "close");
    return undefined;
  }
  try {
    const connection = await access.open({
      patience: patienceLeft(access, journey),
      remaining: journey.until - clock.now(),
      requiresTls: journey.delivery.requiresTls === true || access.behaviour.needsTls,
      watch: journey.delivery.log.session,
    });
    const { socket } = connection.channel;
    const hear = () => state.hear(clock.now());
    // Counts replies and accepted pieces of a message as signs of life.
    socket.on("data", hear).on("drain", hear);
    hear();
    state.connected(line.open());
    line.look();
    const pooled = { connection, messages: 0, refusals: 0, isAhead: false, watchdog: createWatchdog() };
    if (needsLogin !== true || connection.isLoggedIn) return pooled;
    journey.hold = unoffered;
    behaviour.noLoginUntil = clock.now() + unoffered.retryAfterMs;
    // What needs no login may use it.
    line.over(journey.delivery, pooled, "keep");
    return undefined;
  } catch (error) {
    if (!(error instanceof SmtpFault)) {
      line.over(journey.delivery, undefined, "close");
      throw error;
    }
    const now = clock.now();
    state.cannotConnect(error, line.open() - 1, now);
    line.over(journey.delivery, undefined, "close");
    if (isOutOfTime(journey, now) && state.hold(now) === undefined)
      endJourney(journey, { outcome: "deferred", reply: error.words });
    else if (journey.turns >= maxTurns) journey.hold = limitedHold(error.words);
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
  const { endings, delivery } = journey;
  const { extensions, isDovecot } = pooled.connection;
  forgetOld(access);
  const open = nextRecipients(journey, statedLimit(extensions, "RCPTMAX"));
  const isPipelined =
    !journey.isSingle &&
    extensions.has("PIPELINING") &&
    (open.length === 1 || !isDovecot) &&
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
    line.over(delivery, pooled, "close");
    throw error;
  }
  for (let place = 0; place < open.length; place += 1)
    endings[open[place] as number] = transaction.endings[place];
  journey.inDoubt ||= transaction.inDoubt;
  journey.mostRecipients = transaction.mostRecipients ?? journey.mostRecipients;
  const isAccepted = transaction.endings.some((ending) => ending?.outcome === "accepted");
  if (transaction.isLetGo) {
    journey.hold = closedHold;
    line.over(delivery, pooled, "close");
    return;
  }
  if (isAccepted) noteAccepted(access, journey, pooled);
  notePipelining(access, isPipelined, isAccepted, transaction.trouble);
  journey.isAstray = noteAhead(access, { isAhead, isAccepted, wasRefused: journey.isAstray }, transaction);
  const { trouble, isReusable } = transaction;
  const suspect = transaction.endedAt && open[transaction.endedAt.place];
  const mayStay =
    trouble === undefined || faceTrouble(access, journey, pooled, { ...transaction, trouble, suspect });
  if (!journey.hasRested) line.pass();
  if (isReusable && mayStay) access.settle(delivery, pooled, isAccepted || pooled.isAhead);
  else line.over(delivery, pooled, "close");
}

/** Suspect recipients that go last with the others; more of them wait until those have the message, of which each would take a turn. */
const mostLast = 2;

/** The open recipients of the next transaction, `most` at most. */
function nextRecipients({ endings, suspects, isBackward, mostRecipients }: Journey, most: number): number[] {
  const open: number[] = [];
  const limit = Math.min(mostRecipients, most);
  const last = endings.length - 1;
  for (let at = 0; at <= last && open.length < limit; at += 1) {
    const index = isBackward ? last - at : at;
    if (endings[index] === undefined && !suspects.has(index)) open.push(index);
  }
  if (suspects.size > mostLast && open.length > 0) return open;
  for (const index of suspects) if (endings[index] === undefined && open.length < limit) open.push(index);
  return open;
}

/** The delivery to these recipients, which are still open. */
function partOf(access: ServerAccess, journey: Journey, open: readonly number[]): Delivery {
  const { delivery } = journey;
  if (open.length === delivery.to.length && delivery.patience === undefined && journey.suspects.size === 0)
    return delivery;
  const to = open.map((index) => delivery.to[index] ?? "");
  return { ...delivery, to, patience: patienceLeft(access, journey) };
}
