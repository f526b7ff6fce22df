import { noteTlsNeeded } from "../conversation/note-behaviour.ts";
import type { TransactionFault } from "../conversation/transaction.ts";
import { endJourney } from "./end-journey.ts";
import { isOutOfTime } from "./is-out-of-time.ts";
import { type Journey, maxTurns } from "./journey.ts";
import { limitedHold } from "./limited-hold.ts";
import type { ServerAccess } from "./server-access.ts";
import { settleJourney } from "./settle-journey.ts";
import { silence } from "./silence.ts";
import { withoutAddresses } from "./without-addresses.ts";

const maxFailures = 3;
/** Refusals for the server's limits after which a message moves to another server, if it has one. */
const maxLimits = 2;
/** Refusals for limits after which a message's content is not sent again at once. */
const maxContents = 3;
/** Refusals for limits, with others accepted before each, after which the limit is one of the message's own. */
const maxOvertaken = 2;
/** Words for limits on connections rather than messages. */
const connectionWords = /connection|concurren|session/i;

/**
 * Decides what happens to a message whose transaction had no verdict on it, as the `messages`-th message of its
 * connection. `hasSettled`: it had one on some recipients, which the server refused or deferred. `tlsFault`: why the
 * connection was in cleartext.
 */
export function faceTrouble(
  access: ServerAccess,
  journey: Journey,
  trouble: TransactionFault,
  { messages, hasSettled, tlsFault }: { messages: number; hasSettled: boolean; tlsFault: string | undefined },
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
  if (verdict === "limited" && isContent) journey.contents += 1;
  // Postfix ends a connection after twenty refusals, also temporary ones: that is about these recipients, and each turn
  // settles some. A 421 to DATA comes before any content.
  const isForRefusals = hasSettled && verdict === "closing" && !isSlow && (!isContent || ending.code === 421);
  // A connection that has carried mail may have reached its limit, lost its login or died: only a new one tells about
  // the server.
  const mayReconnect = messages > 1 && journey.turns < maxTurns && journey.contents < maxContents;
  if ((isForRefusals || mayReconnect) && !isLate) {
    journey.isFresh = true;
    if (!isContent && !isForRefusals) journey.refusedAfter = messages - 1;
    const isOwn = state.isBlamed(journey.delivery.envelopeId);
    if (verdict === "limited" && !isOwn && pace.rate() !== undefined) pace.limited(now);
    return;
  }
  // A new one refused it as well: the count of the one before was not the reason.
  delete journey.refusedAfter;
  if (verdict === "limited") slowDown(access, journey, trouble, others);
  else if (verdict === "unclear" && ending.outcome === "refused") settleJourney(journey, ending);
  // One connection too many is the fault of neither this message nor the server.
  else if (verdict === "closing" && !isContent && !isLate && isCrowded(access, journey, others))
    journey.wasCrowded = true;
  else strike(access, journey, trouble, tlsFault);
  if (isLate && journey.hold === undefined) endJourney(journey, ending, verdict !== "unclear");
}

/** Counts a trouble that is neither for a limit nor a verdict, and holds the others once there are enough of them. */
function strike(
  access: ServerAccess,
  journey: Journey,
  { verdict, ending, isContent, isSlow }: TransactionFault,
  tlsFault: string | undefined,
): void {
  const { state, clock } = access;
  const words = withoutAddresses(ending.reply, journey.delivery.to);
  const now = clock.now();
  const cause = verdict === "settings" ? "settings" : "unreachable";
  // It may well be why the server refuses: without TLS it offers no login.
  const isForTls = verdict === "settings" && tlsFault !== undefined;
  if (isForTls) noteTlsNeeded(access);
  const reason = isForTls ? `${tlsFault}; in cleartext: ${words}` : words;
  // What a workspace's server defers for no reason of its own says nothing of the server until it is all mail. Nor does
  // what ends its own connections alone, again and again, while the others' go on.
  const isOnce = journey.wasCrowded || (verdict === "unclear" && access.isAccount);
  state.strike({ message: journey.delivery.envelopeId, cause, reason, isOnce }, now);
  if (journey.wasCrowded && journey.failures === 0) state.restore();
  journey.failures += 1;
  const hold = state.hold(now);
  if (hold !== undefined) journey.hold = hold;
  else if (isContent || isSlow || journey.failures >= maxFailures)
    endJourney(journey, ending, verdict !== "unclear");
}

/**
 * Whether a connection may have been one too many, beside `others`; then there are fewer. A message meets that only once:
 * one at whose recipient the server ends each connection would leave a single one for all.
 */
function isCrowded(
  { state, clock }: ServerAccess,
  { delivery, wasCrowded }: Journey,
  others: number,
): boolean {
  const isOwn = wasCrowded || state.isBlamed(delivery.envelopeId);
  return others > 0 && !isOwn && state.lower(others, clock.now());
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
  const isOvertaken = accepted > journey.acceptedBefore && (isContent || !connectionWords.test(reply));
  if (isOvertaken) journey.overtaken += 1;
  journey.acceptedBefore = accepted;
  if (journey.overtaken >= maxOvertaken) state.blame(envelopeId);
  if (state.isBlamed(envelopeId)) return settleJourney(journey, ending);
  const words = withoutAddresses(reply, journey.delivery.to);
  const now = clock.now();
  if (!isContent) journey.limits += 1;
  // The last of several that were refused at once has no others any more; that their number was too high is no rate.
  const isOneOfMany = connectionWords.test(reply) && (others > 0 || journey.limits + journey.contents === 1);
  if (isOneOfMany) state.lower(Math.max(others, 1), now);
  else if (pace.limited(now)) state.limited(words, now);
  journey.isFresh = false;
  const isSpent = journey.contents >= maxContents;
  if (isSpent && journey.overtaken > 0) return settleJourney(journey, ending);
  const mayMove = !isContent && journey.delivery.patience !== undefined && journey.limits >= maxLimits;
  if (mayMove || isSpent || journey.turns >= maxTurns) journey.hold = state.hold(now) ?? limitedHold(words);
}
