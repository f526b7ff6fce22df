import type { MailHold } from "@posthorn/core";
import { oneLine } from "@posthorn/core/internal";
import type { SmtpFault } from "../../connection/smtp-fault.ts";

type Cause = Exclude<MailHold["cause"], "closed">;

/**
 * Knowledge about one server: how many connections it allows, and whether it accepts anything now. A fault of the
 * server reduces concurrency or holds everything back for a while.
 */
export interface ServerState {
  /** The current hold; `undefined` if there is none. */
  hold(now: number): MailHold | undefined;
  /** Connections that may be open now. A single one goes ahead while nothing is known yet, and after a hold. */
  places(now: number): number;
  /** A connection was opened; `open` counts it too. */
  connected(open: number): void;
  /** A connection failed or was refused at once, while `others` are open: concurrency is reduced, or a hold begins. */
  cannotConnect(fault: SmtpFault, others: number, now: number): void;
  /** Sets the maximum number of connections, as others share the server. */
  setMost(connections: number): void;
  /** The server allows no more connections than these; returns whether that is new. */
  lower(connections: number, now: number): boolean;
  /** Allows one connection more again, since a message meets with fewer what seemed to be one too many. */
  restore(): void;
  /** A message was accepted; returns whether more connections may be open now for that. */
  accepted(now: number): boolean;
  /** The server replied, or accepted a piece of a message. */
  hear(now: number): void;
  /** Time of the last reply or accepted piece. */
  heardAt(): number;
  /** The server left a command unanswered for longer than a message's patience: no other message waits for it now. */
  silent(reason: string, now: number): void;
  /**
   * A message failed in a way that is the server's fault; three of these without an accepted message between them begin a
   * hold. With `isOnce`, several failures of one message count as one.
   */
  strike(
    failure: { message: string | undefined; cause: Cause; reason: string; isOnce?: boolean },
    now: number,
  ): void;
  /** The server asked for fewer messages; four times without an accepted message between them begin a hold. */
  limited(reason: string, now: number): void;
}

/** Ms of the first and the longest hold: each is twice the last until a message is accepted. */
const holds: Record<Cause, { first: number; longest: number }> = {
  unreachable: { first: 1000, longest: 300_000 },
  // Repeated failed logins would look like guessing and lock the account.
  settings: { first: 30_000, longest: 900_000 },
  limited: { first: 1000, longest: 120_000 },
  exhausted: { first: 1000, longest: 10_000 },
};
const maxStrikes = 3;
/**
 * Ms of the longest hold for several messages that failed at a server which answers: they alone may be the cause, such as all
 * those of one sender, and each of them that is older than the others tries it once.
 */
const longestAnswered = 30_000;
const maxLimits = 4;
/** Connections at a time after a hold for what messages met, until one is accepted: that the server takes them says little. */
const trials = 2;
/** Messages that are remembered between two that are accepted. */
const maxFailed = 1000;
/** Ms after which one more connection is tried; doubled each time it is refused. */
const firstRaise = 15_000;
const longestRaise = 300_000;

/**
 * For a workspace's server, core records for all processes how long it is down: here a hold only ends the messages
 * under way together.
 */
const shortHold = { first: 1000, longest: 1000 };

/**
 * Creates the state of an unknown server. `most` is the maximum number of connections, `isShared` whether tenants share
 * the server. Times are in ms of a monotonic clock.
 */
export function createServerState(most: number, isShared: boolean): ServerState {
  let connections = most;
  /** What the server was found to allow; infinite until it refuses a connection. */
  let limit = Number.POSITIVE_INFINITY;
  let isProven = false;
  let raise = firstRaise;
  let wait = firstRaise;
  let raiseAt = 0;
  /** Whether one more connection was tried since the limit was lowered: refusals before that are those of one moment. */
  let hasRaised = true;
  let strikes = 0;
  let limits = 0;
  /** Messages that failed since one was last accepted. */
  const failed = new Set<string>();
  let held: { cause: Cause; reason: string; until: number } | undefined;
  let holdCount = 0;
  let heardAt = Number.NEGATIVE_INFINITY;

  const begin = (cause: Cause, reason: string, now: number, most = Number.POSITIVE_INFINITY) => {
    // Messages that were under way when a hold began tell nothing new.
    if (held !== undefined && now < held.until) return;
    const isOurs = isShared || cause === "limited" || cause === "exhausted";
    const { first, longest } = isOurs ? holds[cause] : shortHold;
    held = {
      cause,
      reason: oneLine(reason),
      until: now + Math.min(first * 2 ** Math.min(holdCount, 20), longest, most),
    };
    holdCount += 1;
    isProven = false;
  };
  const lower = (to: number, now: number) => {
    const isNews = to < Math.min(limit, connections);
    if (isNews) limit = Math.max(1, to);
    if (hasRaised) {
      wait = raise;
      raise = Math.min(raise * 2, longestRaise);
    }
    hasRaised = false;
    raiseAt = now + wait;
    return isNews;
  };

  return {
    lower,
    restore() {
      limit = limit + 1 < connections ? limit + 1 : Number.POSITIVE_INFINITY;
    },
    setMost(number) {
      connections = number;
    },
    hold(now) {
      if (held === undefined || now >= held.until) return undefined;
      return { cause: held.cause, reason: held.reason, retryAfterMs: Math.ceil(held.until - now) };
    },
    places(now) {
      if (!isProven) return 1;
      if (limit < connections && now >= raiseAt) {
        limit += 1;
        hasRaised = true;
        raiseAt = now + raise;
      }
      return Math.min(limit, connections, strikes < maxStrikes ? Number.POSITIVE_INFINITY : trials);
    },
    connected(open) {
      isProven = true;
      if (open >= Math.min(limit, connections)) raise = firstRaise;
    },
    cannotConnect(fault, others, now) {
      if (others > 0) {
        lower(others, now);
        return;
      }
      const cause = causeOf(fault);
      // The server is away: that its connections failed one after another only looked like a limit.
      if (cause === "unreachable" && fault.reply === undefined) limit = Number.POSITIVE_INFINITY;
      begin(cause, fault.words, now);
    },
    accepted(now) {
      strikes = 0;
      limits = 0;
      holdCount = 0;
      if (failed.size > 0) failed.clear();
      // One that was under way when a hold began tells nothing of the server after it.
      const isNews = !isProven && (held === undefined || now >= held.until);
      if (isNews) isProven = true;
      return isNews;
    },
    hear(now) {
      heardAt = now;
    },
    silent: (reason, now) => begin("unreachable", reason, now),
    heardAt: () => heardAt,
    strike({ message, cause, reason, isOnce = false }, now) {
      if (isOnce && message !== undefined && failed.has(message)) return;
      if (message !== undefined && failed.size < maxFailed) failed.add(message);
      strikes += 1;
      if (strikes < maxStrikes) return;
      begin(cause, reason, now, cause === "unreachable" && failed.size > 1 ? longestAnswered : undefined);
    },
    limited(reason, now) {
      limits += 1;
      if (limits >= maxLimits) begin("limited", reason, now);
    },
  };
}

function causeOf({ kind, reply }: SmtpFault): Cause {
  if (kind === "own") return "exhausted";
  if (kind === "settings") return "settings";
  return kind !== "tls" && reply !== undefined && reply.code < 500 ? "limited" : "unreachable";
}
