/** Who is at fault for a refusal that names neither the mail nor the server; `open` while that isn't known. */
export type Blame = "message" | "server" | "open";

/** Tells one message from the others; if it has an identifier, also at its later attempts. */
export type MessageKey = string | symbol;

/**
 * Finds out from what becomes of all messages who is at fault for a refusal: the message if others get through, the server
 * if they don't. The message's next turn tells, with others before it: a server at its limit refuses this one now and that
 * one then, and a limit of a sender or a recipient refuses the same one again.
 */
export interface Evidence {
  /**
   * A message was accepted. If it was refused before for a limit of the server's, as nothing but the time is different now,
   * and others were refused meanwhile, returns when.
   */
  accepted(message: MessageKey): number | undefined;
  /** A message was refused, for a reason that another connection would not change; `isLimit`: for a limit. */
  refused(message: MessageKey, now: number, isLimit: boolean): Blame;
  isBlamed(message: MessageKey): boolean;
}

interface Suspect {
  /** When it was last refused, and how many messages were accepted, and refused without having been overtaken, until then. */
  at: number;
  isLimit: boolean;
  accepted: number;
  refused: number;
  /** How often it was refused again though most others got through since the last time. */
  overtaken: number;
}

/** How often a message is overtaken until it is to blame. */
const mostOvertaken = 2;
/** Messages in a row, none of them overtaken, after whose refusals the server is at fault. */
const longestRun = 8;
/**
 * Once so many more were to blame than only came too early, a message is to blame at once, as each of its turns costs the
 * others one. Each fourth still gets them: they tell when that changes.
 */
const trusted = 5;
const mostOwn = 10;
const tested = 4;
/** Messages to blame for each that only came too early, if most refusals are for limits of their own. */
const ownPerEarly = 3;
/** Others accepted for each that is refused, beyond which a refusal tells nothing of the pace: a slower one would not change it. */
const mostByChance = 8;
/** The same for refusals that name no limit, and connections that were ended: there are other reasons for single ones. */
const mostWithoutWords = 2;
/** Messages that are remembered; beyond it the first is forgotten. */
const mostKnown = 1000;

/** Creates the memory for an unknown server. Times are in ms of any monotonic clock. */
export function createEvidence(): Evidence {
  let accepted = 0;
  let refused = 0;
  /** Refusals since one was accepted, of messages that were never overtaken. */
  let run = 0;
  /** Messages that turned out to blame, less those that only came too early. */
  let own = 0;
  const suspects = new Map<MessageKey, Suspect>();
  const blamed = new Set<MessageKey>();

  const blame = (message: MessageKey): Blame => {
    suspects.delete(message);
    blamed.add(message);
    forgetFirst(blamed);
    return "message";
  };
  /** What a message is suspected of now that it was refused once more, after so many others. */
  const suspect = (message: MessageKey, at: number, isLimit: boolean, overtaken: number): void => {
    if (overtaken === 0) refused += 1;
    suspects.set(message, { at, isLimit, accepted, refused, overtaken });
    forgetFirst(suspects);
  };

  return {
    accepted(message) {
      accepted += 1;
      run = 0;
      const before = suspects.get(message);
      if (before === undefined) return undefined;
      suspects.delete(message);
      const others = { accepted: accepted - 1 - before.accepted, refused: refused - before.refused };
      const areMany = before.isLimit
        ? others.refused * mostByChance >= others.accepted
        : others.refused * mostWithoutWords > others.accepted;
      const isServers = own === 0 && areMany;
      own = Math.max(0, own - ownPerEarly);
      return isServers ? before.at : undefined;
    },
    refused(message, now, isLimit) {
      if (blamed.has(message)) return "message";
      const before = suspects.get(message);
      if (before === undefined) {
        run += 1;
        if (run < longestRun && own >= trusted && refused % tested > 0) {
          refused += 1;
          return blame(message);
        }
        suspect(message, now, isLimit, 0);
        return run >= longestRun ? "server" : "open";
      }
      const others = { accepted: accepted - before.accepted, refused: refused - before.refused };
      const isAlone = others.accepted + others.refused === 0;
      const overtaken = before.overtaken + (others.accepted > others.refused / 2 ? 1 : 0);
      if (overtaken >= mostOvertaken || (isAlone && overtaken > 0)) {
        own = Math.min(own + 1, mostOwn);
        return blame(message);
      }
      if (overtaken === 0 && !isAlone) run += 1;
      suspect(message, now, isLimit, overtaken);
      return isAlone || run >= longestRun ? "server" : "open";
    },
    isBlamed: (message) => blamed.has(message),
  };
}

function forgetFirst(known: Map<MessageKey, unknown> | Set<MessageKey>): void {
  if (known.size <= mostKnown) return;
  for (const first of known.keys()) {
    known.delete(first);
    return;
  }
}
