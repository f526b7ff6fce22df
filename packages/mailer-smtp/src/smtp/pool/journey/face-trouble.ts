import type { Ending } from "../../conversation/delivery.ts";
import { isForNow } from "../../conversation/is-for-now.ts";
import { noteTlsNeeded } from "../../conversation/note-behaviour.ts";
import { noLogin } from "../../conversation/refusal-of.ts";
import type { Transaction, TransactionFault } from "../../conversation/transaction.ts";
import { limitedHold } from "../limited-hold.ts";
import type { PooledConnection } from "../line/create-idle-connections.ts";
import type { ServerAccess } from "../server/server-access.ts";
import { silence } from "../silence.ts";
import { endJourney } from "./end-journey.ts";
import { facesRecipient, facesSilence } from "./face-recipient.ts";
import { isOutOfTime } from "./is-out-of-time.ts";
import { type Journey, maxTurns } from "./journey.ts";
import { namesLimit } from "./names-limit.ts";
import { settleJourney } from "./settle-journey.ts";
import { withoutAddresses } from "./without-addresses.ts";

const maxFailures = 3;
/** Refusals for the number of connections after which a message moves to another server, if it has one. */
const maxCrowded = 2;
/** Refusals for limits after which a message's content is not sent again at once. */
const maxContents = 3;
/** Messages in a row after whose refusals a connection is closed, as it may be why. */
const maxRefusals = 4;
/** Words for limits on connections rather than messages. */
const connectionWords = /connection|concurren|session/i;

/** Words by which a server says that it ends the connection, whatever the reason. */
const partingWords = /\bclos(?:e|es|ed|ing)\b[^.,;]{0,30}?\b(?:connection|session)\b/gi;

/** Whether a reply names a limit on messages rather than connections. */
const namesRate = (ending: Ending): boolean =>
  namesLimit(ending) && !connectionWords.test(ending.reply.replace(partingWords, ""));

/** What a message met on a connection. */
interface Met {
  trouble: TransactionFault;
  pooled: PooledConnection;
  /** Whether the server named a limit on messages, be it as it ended the connection. */
  isLimit: boolean;
  /** Whether some recipients had a verdict: the server refused or deferred them. */
  hasSettled: boolean;
  isSenderTaken: boolean;
  /** The reply without addresses, as others read it. */
  words: string;
  now: number;
  /** Connections that are open beside this one. */
  others: number;
}

/**
 * Decides what happens to a message whose transaction had no verdict on it: what it met may be the fault of the way it
 * went, of the connection, of the number of connections, or of the message or the server, of which the others tell.
 * Returns whether the connection may carry others.
 */
export function faceTrouble(
  access: ServerAccess,
  journey: Journey,
  pooled: PooledConnection,
  {
    trouble,
    endings,
    isSenderTaken,
    endedAt,
    suspect,
  }: Pick<Transaction, "endings" | "isSenderTaken" | "endedAt"> & {
    trouble: TransactionFault;
    suspect?: number | undefined;
  },
): boolean {
  const { ending, verdict } = trouble;
  const { behaviour } = access;
  const now = access.clock.now();
  const met: Met = {
    trouble,
    pooled,
    isLimit: verdict === "limited" || (verdict === "closing" && namesRate(ending)),
    hasSettled: endings.some((one) => one !== undefined),
    isSenderTaken,
    words: withoutAddresses(ending.reply, journey.delivery.to),
    now,
    others: access.line.open() - 1,
  };
  if (facesWay(access, journey, met)) return false;
  const isLate = isOutOfTime(journey, now);
  const suspected =
    suspect === undefined || isLate
      ? undefined
      : { suspect, isAfterOthers: endedAt?.isAfterOthers === true, ending, now };
  if (suspected !== undefined && trouble.isSlow && facesSilence(behaviour, journey, suspected)) return false;
  if (met.isLimit) journey[trouble.isContent ? "contents" : "limits"] += 1;
  if (!isLate && facesConnection(access, journey, met)) return false;
  // A new one refused it as well: the count of the one before was not the reason.
  delete journey.refusedAfter;
  if (suspected !== undefined && !trouble.isSlow && facesRecipient(behaviour, journey, suspected))
    return false;
  if (verdict === "settings") strike(access, journey, met);
  else if (verdict === "unclear" && ending.outcome === "refused") settleJourney(journey, ending);
  else if (!isLate && facesNumber(access, journey, met)) return false;
  else blame(access, journey, met);
  if (isLate && journey.hold === undefined) endJourney(journey, ending, verdict !== "unclear");
  pooled.refusals += 1;
  if (pooled.refusals < maxRefusals) return isForNow(trouble);
  // What others carried before may be more than any may now.
  behaviour.carried = Math.min(behaviour.carried, pooled.messages - pooled.refusals);
  return false;
}

/** The way that the message went was not the server's: it goes another, or to another server. */
function facesWay(
  { state, behaviour }: ServerAccess,
  journey: Journey,
  { trouble, words, now }: Met,
): boolean {
  const { verdict } = trouble;
  const isOther = verdict === "astray" || verdict === "reports" || verdict === "doubtful";
  if (isOther || (verdict === "silent" && behaviour.pipelining === "suspect")) {
    journey.isFresh = true;
    journey.isPlain ||= verdict === "reports";
    journey.isSingle ||= verdict === "doubtful";
    return true;
  }
  if (!trouble.isTooSlow) return false;
  // The server accepted nothing, so another server may have the message; a new connection here would only delay it.
  state.silent(words, now);
  journey.hold = silence(words);
  return true;
}

/**
 * A connection that has carried mail may have reached its limit, lost its login or died: only a new one tells about the
 * server. It has not if it took this message's sender, or refuses it in so many words, and others have carried more.
 */
function facesConnection(
  { behaviour }: ServerAccess,
  journey: Journey,
  { trouble, pooled: { messages }, hasSettled, isSenderTaken }: Met,
): boolean {
  const { verdict, isContent, isSlow } = trouble;
  // Postfix ends a connection after twenty refusals, also temporary ones: that is about these recipients, and each turn
  // settles some.
  const isForRefusals = hasSettled && verdict === "closing" && !isSlow && !isContent;
  const isTold = isForNow(trouble) || (verdict === "closing" && isSenderTaken);
  const isSound = isTold && messages <= behaviour.carried;
  const mayReconnect = messages > 1 && !isSound && journey.turns < maxTurns && journey.contents < maxContents;
  if (!isForRefusals && !mayReconnect) return false;
  journey.isFresh = true;
  if (!isContent && !isForRefusals) journey.refusedAfter = messages - 1;
  return true;
}

/**
 * One connection too many is the fault of neither the message nor the server: there are fewer then. Where the server only
 * ends the connection, a message meets that once: one at which it ends each would leave a single one for all.
 */
function facesNumber(access: ServerAccess, journey: Journey, met: Met): boolean {
  const { state, evidence } = access;
  const { trouble, isLimit, isSenderTaken, others, now } = met;
  const { verdict, ending, isContent } = trouble;
  if (isContent || evidence.isBlamed(journey.key)) return false;
  const isNamed = ending.code !== undefined && connectionWords.test(ending.reply);
  // The last of several that were refused at once has no others any more; that their number was too high is no rate.
  if (verdict === "limited" && isNamed && (others > 0 || journey.limits === 1)) {
    state.lower(Math.max(others, 1), now);
    journey.isFresh = false;
    journey.rests = journey.delivery.patience === undefined;
    moveOn(access, journey, met, journey.limits >= maxCrowded);
    return true;
  }
  if (verdict !== "closing" || isLimit || (isSenderTaken && !isNamed)) return false;
  if (journey.crowded === undefined) {
    if (others === 0 || !state.lower(others, now)) return false;
    journey.crowded = "once";
    return true;
  }
  if (journey.crowded === "once") state.restore();
  journey.crowded = "again";
  return false;
}

/**
 * A message is to blame if others get through, and is deferred then, or goes to another server, which may have another
 * limit; the server if they don't. While that isn't known, the message lets others go first, unless there are none, or it
 * may go to another server at once.
 */
function blame(access: ServerAccess, journey: Journey, met: Met): void {
  const { trouble, isLimit, now } = met;
  const { verdict, ending, isContent, isSlow } = trouble;
  const { patience } = journey.delivery;
  const found = access.evidence.refused(journey.key, now, isLimit);
  const mayMove = isLimit && !isContent && patience !== undefined;
  if (found === "message" && !mayMove) endJourney(journey, ending, verdict === "closing");
  else if (isLimit && (found === "server" || patience !== undefined)) {
    if (found === "server") slowDown(access, met);
    moveOn(access, journey, met, !isContent);
  } else if (!isLimit && (found === "server" || patience !== undefined || isSlow || access.line.isAlone()))
    strike(access, journey, met);
  else if (journey.turns >= maxTurns || (isContent && (!isLimit || journey.contents >= maxContents)))
    endJourney(journey, ending);
  const isStruck = journey.failures > 0;
  journey.isFresh = isStruck;
  journey.rests = !isStruck && patience === undefined;
}

/** The server takes no more for now: the rate is lowered, or all are held. */
function slowDown({ state, pace }: ServerAccess, { words, now }: Met): void {
  if (pace.limited(now)) state.limited(words, now);
}

/** A message goes to another server, if it has one and `mayMove`; after so many refusals for limits, it queues again. */
function moveOn({ state }: ServerAccess, journey: Journey, { words, now }: Met, mayMove: boolean): void {
  const { delivery, contents, turns } = journey;
  const moves = mayMove && delivery.patience !== undefined;
  if (moves || contents >= maxContents || turns >= maxTurns)
    journey.hold = state.hold(now) ?? limitedHold(words);
}

/** Counts a trouble that is neither for a limit nor a verdict, and holds the others once there are enough of them. */
function strike(access: ServerAccess, journey: Journey, { trouble, pooled, words, now }: Met): void {
  const { state } = access;
  const { verdict, ending, isContent, isSlow } = trouble;
  const { tlsFault, isLoginUnoffered } = pooled.connection;
  const cause = verdict === "settings" ? "settings" : "unreachable";
  // It may well be why the server refuses: without TLS it offers no login.
  const isForTls = verdict === "settings" && tlsFault !== undefined;
  if (isForTls) noteTlsNeeded(access);
  const told = verdict === "settings" && isLoginUnoffered ? `${noLogin}: ${words}` : words;
  const reason = isForTls ? `${tlsFault}; in cleartext: ${told}` : told;
  // What a workspace's server defers for no reason of its own says nothing of the server until it is all mail. Nor does
  // what ends its own connections alone, again and again, while the others' go on.
  const isOnce = journey.crowded !== undefined || (verdict === "unclear" && access.isAccount);
  state.strike({ message: journey.delivery.envelopeId, cause, reason, isOnce }, now);
  journey.failures += 1;
  const hold = state.hold(now);
  if (hold !== undefined) journey.hold = hold;
  else if (isContent || isSlow || journey.failures >= maxFailures)
    endJourney(journey, ending, verdict !== "unclear");
}
