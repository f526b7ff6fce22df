import type { MailHold } from "../../../ports/mailer.ts";
import { healthySmtpServer, type SmtpServer, type SmtpServerHealth } from "../../../ports/storage.ts";
import type { Runtime } from "../../../service/runtime.ts";
import { recordServerChange } from "./record-server-change.ts";

/** Consecutive faults after which a server is down (platform.md P5). */
const maxFaults = 3;
/** Ms without an attempt after that, doubled each time a mail finds the server still down. */
const firstDownMs = 30_000;
const longestDownMs = 600_000;
/** Ms by which the processes' clocks may differ. */
const toleranceMs = 5_000;
/** Ms to wait for the mail that tries the server, before another one does. */
const trialMs = 60_000;
/**
 * Ms for which other mails wait while one is on trial: not until it must have ended, as a hold of theirs that is written
 * after it has succeeded would stand.
 */
const besideTrialMs = 1_000;
/** Ms for which a server counts as limited after it reported that. */
const limitedMs = 60_000;
/** Maximum number of servers whose consecutive faults are counted: those deleted meanwhile would stay for ever. */
const mostCounted = 10_000;
/** Maximum number of mails of one server that are known as suspects; beyond it the server is at fault. */
const mostSuspects = 100;
/** Ms between two faults that are written of a server which is not down: one may fail with every other mail. */
const notedMs = 60_000;

/** Tracks the health of the workspaces' servers; changes that this process notices are shared with all processes. */
export interface ServerHealthWatch {
  /** Returns the hold if nothing may be handed to the server now. */
  hold(server: SmtpServer): MailHold | undefined;
  /**
   * Announces a transmission. Once the time of a server that was down is over, a single mail may try it: the result is
   * the server for that mail, a hold for others.
   */
  begin(server: SmtpServer): Promise<SmtpServer | MailHold>;
  /** Records that the server accepted or judged a mail. */
  worked(server: SmtpServer): Promise<void>;
  /** Records that the server refuses something by its configuration, while other mail may get through. */
  marked(server: SmtpServer, reason: string): Promise<void>;
  /**
   * Records that the server accepted nothing, for a reason other than the mail; returns how long to leave it alone.
   * `suspect`: the mail whose sender it had taken, so that the rest of that may be the reason all the same.
   */
  failed(server: SmtpServer, hold: MailHold, suspect?: string): Promise<MailHold>;
  /** Records that the server was not asked: if that was the mail on trial, another one follows after the hold. */
  untried(server: SmtpServer, hold: MailHold): Promise<void>;
}

/** Creates a watch without counted faults. */
export function createServerHealthWatch(runtime: Runtime): ServerHealthWatch {
  const { storage, queueClock } = runtime;
  /**
   * Consecutive faults by server, and the time until which another fault counts as the same one, because simultaneous
   * mails fail together.
   */
  const faults = new Map<number, { count: number; until: number }>();
  /** Mails that tried a server which was down, and failed after it had taken their sender, until one succeeds. */
  const suspects = new Map<number, Set<string>>();

  const change = async (server: SmtpServer, health: SmtpServerHealth): Promise<void> => {
    faults.delete(server.row);
    await recordServerChange(runtime, server, health);
  };

  /** Returns whether this is another suspect. */
  function suspectAnother({ row }: SmtpServer, mail: string | undefined): boolean {
    if (mail === undefined) return false;
    const known = suspects.get(row) ?? new Set();
    if (known.has(mail) || known.size >= mostSuspects) return false;
    keep(suspects, row, known.add(mail));
    return true;
  }

  async function goDown(
    server: SmtpServer,
    { cause, reason }: MailHold,
    isAnother = false,
  ): Promise<MailHold> {
    const now = queueClock.now();
    const { health } = server;
    // Several mails to a mailbox at which the server fails would each double the time for which all others wait.
    const downTimes = isAnother ? 1 : health.downTimes + 1;
    const ms = Math.min(firstDownMs * 2 ** Math.min(downTimes - 1, 20), longestDownMs);
    await change(server, {
      ...health,
      state: "down",
      downUntil: now + ms,
      trialUntil: undefined,
      downSince: health.downSince ?? now,
      downTimes,
      lastError: reason,
      lastErrorAt: now,
    });
    return { cause, reason, retryAfterMs: ms };
  }

  async function limit(server: SmtpServer, reason: string): Promise<void> {
    const { state, lastError, lastErrorAt = 0 } = server.health;
    const now = queueClock.now();
    if (state === "limited" && lastError === reason && lastErrorAt > now - limitedMs) return;
    await change(server, { ...server.health, state: "limited", lastError: reason, lastErrorAt: now });
  }

  /** Writes the first of consecutive faults: whoever looks finds the reason before the server is down. */
  async function noteFirst(server: SmtpServer, { reason }: MailHold): Promise<void> {
    const { health } = server;
    const now = queueClock.now();
    const age = now - (health.lastErrorAt ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < notedMs) return;
    await recordServerChange(runtime, server, { ...health, lastError: reason, lastErrorAt: now });
  }

  /** Returns the number of consecutive faults, and whether this is another one. */
  function countFault({ row }: SmtpServer, { retryAfterMs }: MailHold): { count: number; isNew: boolean } {
    const now = queueClock.monotonic();
    const known = faults.get(row) ?? { count: 0, until: Number.NEGATIVE_INFINITY };
    if (now < known.until) return { count: known.count, isNew: false };
    const count = known.count + 1;
    keep(faults, row, { count, until: now + retryAfterMs });
    return { count, isNew: true };
  }

  return {
    hold({ health }) {
      if (health.state !== "down") return undefined;
      const now = queueClock.now();
      // A time that is further ahead than any was set by a clock that was ahead.
      const leftUntil = (end = 0, longest: number) => (end - now > longest + toleranceMs ? 0 : end - now);
      const left = leftUntil(health.downUntil, longestDownMs);
      if (left > 0) return { cause: "unreachable", reason: health.lastError, retryAfterMs: left };
      return leftUntil(health.trialUntil, trialMs) > 0 ? besideTrial(health) : undefined;
    },
    async begin(server) {
      if (server.health.state !== "down") return server;
      const health = { ...server.health, trialUntil: queueClock.now() + trialMs };
      if (await storage.smtpServers.changeHealth(server.row, server.healthVersion, health))
        return { ...server, health, healthVersion: server.healthVersion + 1 };
      return besideTrial(server.health);
    },
    async worked(server) {
      faults.delete(server.row);
      suspects.delete(server.row);
      const { state, lastError, lastErrorAt } = server.health;
      if (state === "up" || (state === "limited" && (lastErrorAt ?? 0) > queueClock.now() - limitedMs))
        return;
      await change(server, { ...healthySmtpServer, lastError, lastErrorAt });
    },
    marked: limit,
    async failed(server, hold, suspect) {
      if (server.health.state === "down" || hold.cause === "settings") {
        const isAnother = hold.cause === "unreachable" && suspectAnother(server, suspect);
        return goDown(server, hold, isAnother);
      }
      if (hold.cause === "limited") {
        await limit(server, hold.reason);
        return hold;
      }
      const { count, isNew } = countFault(server, hold);
      if (count >= maxFaults) return goDown(server, hold);
      if (isNew && count === 1) await noteFirst(server, hold);
      return hold;
    },
    async untried({ row, health, healthVersion }, { retryAfterMs }) {
      if (health.state !== "down") return;
      const downUntil = queueClock.now() + retryAfterMs;
      await storage.smtpServers.changeHealth(row, healthVersion, {
        ...health,
        downUntil,
        trialUntil: undefined,
      });
    },
  };
}

/** Sets a server's entry, and drops the one that was set longest ago if they are too many. */
function keep<T>(entries: Map<number, T>, row: number, entry: T): void {
  entries.delete(row);
  const [longestAgo] = entries.size < mostCounted ? [] : entries.keys();
  if (longestAgo !== undefined) entries.delete(longestAgo);
  entries.set(row, entry);
}

const besideTrial = ({ lastError }: SmtpServerHealth): MailHold => ({
  cause: "unreachable",
  reason: lastError,
  retryAfterMs: besideTrialMs,
});
