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
  /** When it was last refused, and how many messages were accepted, and refused for no fault of their own, until then. */
  at: number;
  isLimit: boolean;
  accepted: number;
  refused: number;
  /** How often the server was at fault before. */
  faults: number;
  /** How probable it is that the server's limit alone refused it again each time, by what became of the others. */
  chance: number;
}

/**
 * Chance below which a message is suspect: its further refusals tell nothing of the server. And below which it is to blame: no
 * higher, as of hundreds that are sent at a server's limit some come too early again and again.
 */
const suspectBelow = 0.75;
const blamedBelow = 0.26;
/** The least chance of one refusal: a single one tells too little, whatever becomes of the others. */
const leastChance = 0.5;
/** Messages in a row, none of them suspect, after whose refusals the server is at fault; one more for each that was to blame. */
const longestRun = 8;
/**
 * Once so many were to blame, and none only came too early, suspicion is enough, and each second message is to blame at
 * once: each turn costs the others one. The turns of the rest tell when that changes.
 */
const trusted = 5;
const tested = 2;
/** No more count: a server that accepts nothing any more is to be found. */
const mostOwn = 24;
/** Others accepted for each that is refused, beyond which a refusal tells nothing of the pace: a slower one would not change it. */
const mostByChance = 8;
/** The same for refusals that name no limit, and connections that were ended: there are other reasons for single ones. */
const mostWithoutWords = 2;
/** Ms between two refusals of a message, beyond which the first is the server's if that was at fault since: many count by the minute. */
const longWindow = 30_000;
/** Messages that are remembered; beyond it the first is forgotten. */
const mostKnown = 1000;

/** Creates the memory for an unknown server. Times are in ms of any monotonic clock. */
export function createEvidence(): Evidence {
  let accepted = 0;
  let refused = 0;
  /** Refusals since one was accepted. */
  let run = 0;
  /** Messages found to blame since one only came too early. */
  let own = 0;
  /** How often the server was at fault for the last refusals in a row. */
  let faults = 0;
  const suspects = new Map<MessageKey, Suspect>();
  const blamed = new Set<MessageKey>();

  const blame = (message: MessageKey): Blame => {
    suspects.delete(message);
    blamed.add(message);
    forgetFirst(blamed);
    return "message";
  };

  return {
    accepted(message) {
      accepted += 1;
      run = 0;
      // Before V8 looks for a long text in a Map it adds it to its own table of texts, which costs more than all else here.
      if (suspects.size === 0) return undefined;
      const before = suspects.get(message);
      if (before === undefined) return undefined;
      suspects.delete(message);
      const others = { accepted: accepted - 1 - before.accepted, refused: refused - before.refused };
      own = 0;
      const areMany = before.isLimit
        ? others.refused * mostByChance >= others.accepted
        : others.refused * mostWithoutWords > others.accepted;
      return areMany ? before.at : undefined;
    },
    refused(message, now, isLimit) {
      if (blamed.has(message)) return "message";
      const before = suspects.get(message);
      const isExplained = before !== undefined && before.faults < faults && now - before.at > longWindow;
      const since = before === undefined || isExplained ? { accepted, refused, chance: 1 } : before;
      const others = { accepted: accepted - since.accepted, refused: refused - since.refused };
      const isAlone = before?.accepted === accepted && before.refused === refused;
      const share = others.accepted === 0 ? 1 : others.refused / (others.accepted + others.refused);
      const chance = since.chance * Math.max(share, leastChance);
      const isSuspect = chance < suspectBelow;
      const isTrusted = own >= trusted;
      if (chance < blamedBelow || (isSuspect && (isAlone || isTrusted))) {
        own = Math.min(own + 1, mostOwn);
        return blame(message);
      }
      if (!isSuspect) refused += 1;
      const most = longestRun + own;
      if (before === undefined && isTrusted && run < most && refused % tested > 0) return blame(message);
      if (!isSuspect && !isAlone) run += 1;
      suspects.set(message, { at: now, isLimit, accepted, refused, faults, chance });
      forgetFirst(suspects);
      if (run >= most) faults += 1;
      return isAlone || run >= most ? "server" : "open";
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
