import type { MailHold } from "@posthorn/core";
import { oneLine } from "./one-line.ts";
import type { SmtpFault } from "./smtp-fault.ts";

type Cause = Exclude<MailHold["cause"], "closed">;

/**
 * What has been learnt of one server: how many connections it bears, and whether it takes anything now. A fault of the server lowers what
 * is tried there or holds everything back for a while; a message is to blame only where others get through meanwhile.
 */
export interface ServerState {
  /** Why nothing is tried now, where that is so. */
  hold(now: number): MailHold | undefined;
  /** Connections that may be open now. One alone goes ahead where nothing is known yet, and after a hold. */
  places(now: number): number;
  /** A connection stands, of as many as are `open` with it. */
  connected(open: number): void;
  /** A connection could not be made, or was refused on the spot, beside `others` that stand: fewer are tried, or a hold begins. */
  cannotConnect(fault: SmtpFault, others: number, now: number): void;
  /** Allows other than so many connections, as others share them. */
  setMost(connections: number): void;
  /** The server bears no more connections than these; whether that is news. */
  lower(connections: number, now: number): boolean;
  accepted(): void;
  /** The server said something, or took in a piece of a message. */
  hear(now: number): void;
  /** When it last did. */
  heardAt(): number;
  /** The server left a word unanswered for longer than a message had patience: nobody else waits for it now. */
  silent(reason: string, now: number): void;
  /** A message came to nothing in a way that may be the server's; holds once that happened thrice with nothing accepted between. */
  strike(cause: Cause, reason: string, now: number): void;
  /** The server wants fewer messages; holds once it said so four times with nothing accepted between. */
  limited(reason: string, now: number): void;
}

/** Ms of the first hold, and of the longest: each doubles the last until something is accepted. */
const holds: Record<Cause, { first: number; longest: number }> = {
  unreachable: { first: 1000, longest: 300_000 },
  // A login tried again and again is taken for a guess, and locked.
  settings: { first: 30_000, longest: 900_000 },
  limited: { first: 1000, longest: 120_000 },
  exhausted: { first: 1000, longest: 10_000 },
};
const mostStrikes = 3;
const mostLimits = 4;
/** Ms after which one connection more is tried; doubled each time it is refused. */
const firstRaise = 15_000;
const longestRaise = 300_000;

/** Of a workspace's server, core knows how long it is down, for all processes: here only what was under way together ends together. */
const shortHold = { first: 1000, longest: 1000 };

/**
 * Knows nothing yet. `most` is how many connections there may be, `isShared` whether tenants share the server. Times are in ms of a steady
 * clock.
 */
export function createServerState(most: number, isShared: boolean): ServerState {
  let connections = most;
  let allowed = connections;
  let isProven = false;
  let raise = firstRaise;
  let raiseAt = 0;
  let strikes = 0;
  let limits = 0;
  let held: { cause: Cause; reason: string; until: number } | undefined;
  let holdCount = 0;
  let heardAt = Number.NEGATIVE_INFINITY;

  const begin = (cause: Cause, reason: string, now: number) => {
    // Those that were under way when a hold began tell nothing new.
    if (held !== undefined && now < held.until) return;
    const isOurs = isShared || cause === "limited" || cause === "exhausted";
    const { first, longest } = isOurs ? holds[cause] : shortHold;
    held = {
      cause,
      reason: oneLine(reason),
      until: now + Math.min(first * 2 ** Math.min(holdCount, 20), longest),
    };
    holdCount += 1;
    isProven = false;
  };
  const lower = (to: number, now: number) => {
    const isNews = to < allowed;
    if (isNews) allowed = Math.max(1, to);
    raiseAt = now + raise;
    raise = Math.min(raise * 2, longestRaise);
    return isNews;
  };

  return {
    lower,
    setMost(number) {
      if (number === connections) return;
      allowed = allowed >= connections ? number : Math.min(allowed, number);
      connections = number;
    },
    hold(now) {
      if (held === undefined || now >= held.until) return undefined;
      return { cause: held.cause, reason: held.reason, retryAfterMs: Math.ceil(held.until - now) };
    },
    places(now) {
      if (!isProven) return 1;
      if (allowed < connections && now >= raiseAt) {
        allowed += 1;
        raiseAt = now + raise;
      }
      return allowed;
    },
    connected(open) {
      isProven = true;
      if (open >= allowed) raise = firstRaise;
    },
    cannotConnect(fault, others, now) {
      if (others > 0) lower(others, now);
      else begin(causeOf(fault), fault.words, now);
    },
    accepted() {
      strikes = 0;
      limits = 0;
      holdCount = 0;
    },
    hear(now) {
      heardAt = now;
    },
    silent: (reason, now) => begin("unreachable", reason, now),
    heardAt: () => heardAt,
    strike(cause, reason, now) {
      strikes += 1;
      if (strikes >= mostStrikes) begin(cause, reason, now);
    },
    limited(reason, now) {
      limits += 1;
      if (limits >= mostLimits) begin("limited", reason, now);
    },
  };
}

function causeOf({ kind, reply }: SmtpFault): Cause {
  if (kind === "own") return "exhausted";
  if (kind === "settings") return "settings";
  return kind !== "tls" && reply !== undefined && reply.code < 500 ? "limited" : "unreachable";
}
