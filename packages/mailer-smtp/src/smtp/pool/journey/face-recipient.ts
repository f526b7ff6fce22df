import type { Ending } from "../../conversation/delivery.ts";
import { noteSilence } from "../../conversation/note-behaviour.ts";
import type { ServerBehaviour } from "../server/server-access.ts";
import { type Journey, maxTurns } from "./journey.ts";
import { namesLimit } from "./names-limit.ts";
import { settleJourney } from "./settle-journey.ts";

/** Connections that the server may end at the first recipient it gets, with none accepted meanwhile, until that is the server's. */
const maxUntaken = 8;
/** Ms after which some more may be, since all mail may begin with such recipients; and how many. */
const untakenPause = 10_000;
const untakenAgain = 4;
/** Recipients at which the server may be silent before the message waits. */
const maxSilences = 2;

/** A recipient, by its index, at which the server ended the connection or fell silent. */
interface Suspected {
  suspect: number;
  /** Whether it had taken others before. */
  isAfterOthers: boolean;
  ending: Ending;
  now: number;
}

/**
 * A server that is silent at one recipient, after it took others, is asked for that one no more: each silence takes minutes. One
 * that is at the first may be down: the recipient goes last when the message is tried again, so that the others tell.
 */
export function facesSilence(
  behaviour: ServerBehaviour,
  journey: Journey,
  { suspect, isAfterOthers, ending, now }: Suspected,
): boolean {
  const { endings, delivery } = journey;
  const address = delivery.to[suspect];
  const hasOthers = endings.some((other, index) => other === undefined && index !== suspect);
  if (address === undefined || delivery.to.length === 1) return false;
  noteSilence(behaviour, address, now);
  const mayGoOn = journey.silences < maxSilences && journey.turns < maxTurns;
  if (!isAfterOthers || !hasOthers || delivery.patience !== undefined || !mayGoOn) return false;
  journey.silences += 1;
  endings[suspect] = ending;
  journey.isFresh = true;
  return true;
}

/**
 * The recipient at which the server ends the connection may be why, while it takes the others: it goes last next, and is
 * deferred if the server takes those, and ends that connection at it, too. A server that takes none, of any message, ends each.
 */
export function facesRecipient(
  behaviour: ServerBehaviour,
  journey: Journey,
  { suspect, isAfterOthers, ending, now }: Suspected,
): boolean {
  const { endings, suspects, delivery, turns } = journey;
  if (namesLimit(ending) || delivery.patience !== undefined) return false;
  const isKnown = suspects.has(suspect);
  // The others have the message.
  if (isKnown && endings.some((other) => other?.outcome === "accepted")) {
    if (turns >= maxTurns) settleJourney(journey, ending);
    else endings[suspect] = ending;
    journey.isFresh = true;
    return true;
  }
  const hasOthers = endings.some((other, index) => other === undefined && index !== suspect);
  if (!hasOthers || turns >= maxTurns) return false;
  if (!isAfterOthers && (isKnown || !mayGoOnUntaken(behaviour, now))) return false;
  if (!isAfterOthers) journey.isBackward = !journey.isBackward;
  if (isKnown) endings[suspect] = ending;
  suspects.add(suspect);
  journey.isFresh = true;
  return true;
}

/** Counts a connection that the server ended at the first recipient it got; returns whether that may still be the recipient's. */
function mayGoOnUntaken(behaviour: ServerBehaviour, now: number): boolean {
  if (now - behaviour.untakenAt > untakenPause)
    behaviour.untaken = Math.min(behaviour.untaken, maxUntaken - untakenAgain);
  behaviour.untaken += 1;
  behaviour.untakenAt = now;
  return behaviour.untaken <= maxUntaken;
}
