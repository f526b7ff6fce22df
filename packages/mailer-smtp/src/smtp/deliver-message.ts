import type { MailHold } from "@posthorn/core";
import type { PooledConnection } from "./create-idle-connections.ts";
import type { Line } from "./create-line.ts";
import type { Opener } from "./create-opener.ts";
import type { Pace } from "./create-pace.ts";
import type { ServerState } from "./create-server-state.ts";
import type { Delivery, Ending } from "./delivery.ts";
import type { PoolClock } from "./pool-clock.ts";
import type { DsnCondition, SmtpTimeouts } from "./server-settings.ts";
import { silence } from "./silence.ts";
import { SmtpFault } from "./smtp-fault.ts";
import { type Trouble, transact } from "./transact.ts";

/** One server, as a message comes to it. */
export interface ServerAccess {
  state: ServerState;
  pace: Pace;
  line: Line;
  open: Opener;
  /** Takes back a connection that is fit for more; where not `isClean`, its transaction has to be ended first. */
  settle(pooled: PooledConnection, isClean: boolean): Promise<void>;
  clock: PoolClock;
  timeouts: SmtpTimeouts;
  dsn: DsnCondition[] | undefined;
  isAccount: boolean;
  pipelinePatience: number;
  habits: ServerHabits;
}

/** Ways of a server that are found out by talking to it. */
export interface ServerHabits {
  /** `suspect`: commands sent together once went unanswered; `broken`: one by one they were answered then. */
  pipelining: "untried" | "works" | "suspect" | "broken";
  messagesPerConnection: number;
  /** After how many messages a connection was last refused another, which the next connection took. */
  refusedAfter: number | undefined;
}

/** How far a message has come. */
export interface Progress {
  /** By the order of the recipients; `undefined` for those not settled, which is why there is a hold then. */
  endings: (Ending | undefined)[];
  inDoubt: boolean;
  hold?: MailHold;
}

interface Journey extends Progress {
  delivery: Delivery;
  /** When it began. */
  since: number;
  /** Whether the next connection must be a new one. */
  isFresh: boolean;
  turns: number;
  /** Times that a new connection did no better. */
  failures: number;
  /** After how many messages a connection would not take this one. */
  refusedAfter?: number;
}

/** The part of its patience that a message has with each word in any case. */
const leastPart = 6;
const mostTurns = 12;
const mostFailures = 3;
/** Ms for which a message waits whose turns were used up by the server's limits. */
const limitedPause = 5000;
/** Limits of connections rather than of messages. */
const connectionWords = /connection|concurren|session/i;

/** Takes one message as far as it gets: over as many connections as it needs where the connection or the server is at fault. */
export async function deliverMessage(access: ServerAccess, delivery: Delivery): Promise<Progress> {
  const journey: Journey = {
    delivery,
    since: access.clock.now(),
    endings: delivery.to.map(() => undefined),
    inDoubt: false,
    isFresh: false,
    turns: 0,
    failures: 0,
  };
  while (journey.hold === undefined && journey.endings.includes(undefined)) {
    journey.turns += 1;
    const turn = await access.line.turn(journey.isFresh, delivery);
    delivery.log.ended("wait");
    if (turn.kind === "held") journey.hold = turn.hold;
    else {
      const pooled = turn.kind === "reused" ? turn.pooled : await connect(access, journey);
      if (pooled !== undefined) await attempt(access, journey, pooled);
    }
  }
  return journey;
}

async function connect(access: ServerAccess, journey: Journey): Promise<PooledConnection | undefined> {
  const { state, line, clock } = access;
  try {
    const patience = patienceLeft(access, journey);
    const connection = await access.open({ patience, watch: journey.delivery.log.session });
    const { socket } = connection.channel;
    const hear = () => state.hear(clock.now());
    // Replies, and that a piece of a message went out.
    socket.on("data", hear).on("drain", hear);
    hear();
    state.connected(line.open());
    line.look();
    return { connection, messages: 0 };
  } catch (error) {
    if (!(error instanceof SmtpFault)) {
      line.over(undefined, false);
      throw error;
    }
    const now = clock.now();
    state.cannotConnect(error, line.open() - 1, now);
    line.over(undefined, false);
    if (journey.turns >= mostTurns)
      journey.hold = { cause: "limited", reason: error.words, retryAfterMs: limitedPause };
    return undefined;
  }
}

/** Ms of the message's patience that are left: what it waited behind others counts while the server said nothing to them either. */
function patienceLeft({ state, clock }: ServerAccess, { since, delivery }: Journey): number | undefined {
  const { patience } = delivery;
  if (patience === undefined) return undefined;
  const silence = clock.now() - Math.max(since, state.heardAt());
  return Math.max(patience - silence, patience / leastPart);
}

async function attempt(access: ServerAccess, journey: Journey, pooled: PooledConnection): Promise<void> {
  const { habits, timeouts, line } = access;
  const { delivery, endings } = journey;
  const open = endings.flatMap((ending, index) => (ending === undefined ? [index] : []));
  const to = open.map((index) => delivery.to[index] ?? "");
  const isPipelined =
    pooled.connection.extensions.has("PIPELINING") &&
    (habits.pipelining === "untried" || habits.pipelining === "works");
  pooled.messages += 1;
  const transaction = await transact(
    pooled.connection,
    to.length === delivery.to.length && delivery.patience === undefined
      ? delivery
      : { ...delivery, to, patience: patienceLeft(access, journey) },
    {
      timeouts,
      isPipelined,
      pipelinePatience: habits.pipelining === "works" ? timeouts.command : access.pipelinePatience,
      dsn: access.dsn,
      isAccount: access.isAccount,
    },
  ).catch((error: unknown) => {
    // A file that can't be read, such as while the database is away: no fault of the server's.
    line.over(pooled, false);
    throw error;
  });
  for (const [place, index] of open.entries()) endings[index] = transaction.endings[place];
  journey.inDoubt ||= transaction.inDoubt;
  const isAccepted = transaction.endings.some((ending) => ending?.outcome === "accepted");
  if (isAccepted) {
    access.state.accepted();
    access.pace.accepted(access.clock.now());
    noteSession(habits, journey);
  }
  notePipelining(habits, isPipelined, isAccepted, transaction.trouble);
  if (transaction.trouble !== undefined) {
    face(access, journey, transaction.trouble, pooled.messages);
    line.over(pooled, false);
  } else if (transaction.isReusable) void access.settle(pooled, isAccepted);
  else line.over(pooled, false);
}

/** Decides what comes of a message whose transaction told nothing of it, on a connection that was its `messages`-th. */
function face(access: ServerAccess, journey: Journey, trouble: Trouble, messages: number): void {
  const { state, line, clock, pace, habits } = access;
  const { delivery } = journey;
  const { verdict, ending, isContent, isSlow } = trouble;
  const now = clock.now();
  const others = line.open() - 1;
  if (trouble.isTooSlow) {
    // Nothing was taken up: another server may have the message, which a new connection to this one would only keep waiting.
    state.silent(ending.reply, now);
    journey.hold = silence(ending.reply);
    return;
  }
  if (verdict === "silent" && habits.pipelining === "suspect") {
    journey.isFresh = true;
    return;
  }
  // A connection that has carried mail may have had its share, lost its login or died: only a new one tells of the server.
  if (messages > 1 && journey.turns < mostTurns) {
    journey.isFresh = true;
    if (!isContent) journey.refusedAfter = messages - 1;
    if (verdict === "limited" && pace.rate() !== undefined) pace.limited(now);
    return;
  }
  if (verdict === "limited") slowDown(access, journey, ending.reply, others);
  else if (verdict === "unclear" && ending.outcome === "refused") settleAs(journey, ending);
  // One connection too many is no fault of this message or of the server.
  else if (verdict !== "closing" || isContent || others === 0 || !state.lower(others, now)) {
    state.strike(verdict === "settings" ? "settings" : "unreachable", ending.reply, now);
    journey.failures += 1;
    const hold = state.hold(now);
    const isAtItsEnd = isContent || isSlow || journey.failures >= mostFailures;
    if (hold !== undefined) journey.hold = hold;
    // Nothing was taken over, as no final dot was sent: another server may have the message at once, and need not wait for a further attempt.
    else if (isAtItsEnd && verdict !== "unclear" && delivery.patience !== undefined)
      journey.hold = silence(ending.reply);
    else if (isAtItsEnd) settleAs(journey, ending);
  }
}

/** The server takes no more for now: fewer are tried there, and the message waits for its turn in the line. */
function slowDown({ state, pace, clock }: ServerAccess, journey: Journey, reply: string, others: number) {
  const now = clock.now();
  if (others > 0 && connectionWords.test(reply)) state.lower(others, now);
  else if (pace.limited(now)) state.limited(reply, now);
  journey.isFresh = false;
  if (journey.turns >= mostTurns)
    journey.hold = state.hold(now) ?? { cause: "limited", reason: reply, retryAfterMs: limitedPause };
}

function settleAs(journey: Journey, ending: Ending): void {
  for (const index of journey.endings.keys()) journey.endings[index] ??= ending;
}

/** Twice refused after as many messages, and taken by the next connection: that many is what a connection carries. */
function noteSession(habits: ServerHabits, { refusedAfter }: Journey): void {
  if (refusedAfter === undefined) return;
  if (habits.refusedAfter === refusedAfter)
    habits.messagesPerConnection = Math.min(habits.messagesPerConnection, refusedAfter);
  habits.refusedAfter = refusedAfter;
}

function notePipelining(
  habits: ServerHabits,
  isPipelined: boolean,
  isAccepted: boolean,
  trouble: Trouble | undefined,
): void {
  const { pipelining } = habits;
  if (isPipelined) {
    if (isAccepted) habits.pipelining = "works";
    else if (pipelining === "untried" && trouble?.verdict === "silent") habits.pipelining = "suspect";
  } else if (pipelining === "suspect") {
    // If it is as silent to one command at a time, sending them together was not the fault.
    if (isAccepted) habits.pipelining = "broken";
    else if (trouble !== undefined) habits.pipelining = "untried";
  }
}
