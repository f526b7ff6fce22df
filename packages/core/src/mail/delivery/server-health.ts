import type { MailHold } from "../../ports/mailer.ts";
import { healthySmtpServer, type SmtpServer, type SmtpServerHealth } from "../../ports/storage.ts";
import type { Runtime } from "../../service/runtime.ts";
import { recordServerChange } from "./record-server-change.ts";

/** Consecutive faults after which a server is down (platform.md P5). */
const maxFaults = 3;
/** Ms without an attempt after that, doubled each time a mail finds the server still down. */
const firstDownMs = 30_000;
const longestDownMs = 600_000;
/** Ms by which the processes' clocks may differ. */
const toleranceMs = 5_000;
/** Ms to wait for the mail that tries the server, before another one does. */
const probeMs = 60_000;
/** Ms for which a server counts as limited after it reported that. */
const limitedMs = 60_000;
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
  /** Records that the server accepted nothing, for a reason other than the mail; returns how long to leave it alone. */
  failed(server: SmtpServer, hold: MailHold): Promise<MailHold>;
}

/** Creates a watch without counted faults. */
export function createServerHealthWatch(runtime: Runtime): ServerHealthWatch {
  const { storage, queueClock } = runtime;
  /**
   * Consecutive faults by server, and the time until which another fault counts as the same one, because simultaneous
   * mails fail together.
   */
  const faults = new Map<number, { count: number; until: number }>();

  const change = async (server: SmtpServer, health: SmtpServerHealth): Promise<void> => {
    faults.delete(server.row);
    await recordServerChange(runtime, server, health);
  };

  async function goDown(server: SmtpServer, { cause, reason }: MailHold): Promise<MailHold> {
    const now = queueClock.now();
    const { health } = server;
    const downTimes = health.downTimes + 1;
    const ms = Math.min(firstDownMs * 2 ** Math.min(downTimes - 1, 20), longestDownMs);
    await change(server, {
      ...health,
      state: "down",
      downUntil: now + ms,
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
    faults.set(row, { count, until: now + retryAfterMs });
    return { count, isNew: true };
  }

  return {
    hold({ health }) {
      const left = (health.downUntil ?? 0) - queueClock.now();
      // No server is left alone for longer: such a time was set by a clock that was ahead.
      if (health.state !== "down" || left <= 0 || left > longestDownMs + toleranceMs) return undefined;
      return { cause: "unreachable", reason: health.lastError, retryAfterMs: left };
    },
    async begin(server) {
      if (server.health.state !== "down") return server;
      const health = { ...server.health, downUntil: queueClock.now() + probeMs };
      if (await storage.smtpServers.changeHealth(server.row, server.healthVersion, health))
        return { ...server, health, healthVersion: server.healthVersion + 1 };
      // Another mail is already trying the server.
      return { cause: "unreachable", reason: server.health.lastError, retryAfterMs: 1_000 };
    },
    async worked(server) {
      faults.delete(server.row);
      const { state, lastError, lastErrorAt } = server.health;
      if (state === "up" || (state === "limited" && (lastErrorAt ?? 0) > queueClock.now() - limitedMs))
        return;
      await change(server, { ...healthySmtpServer, lastError, lastErrorAt });
    },
    marked: limit,
    async failed(server, hold) {
      if (server.health.state === "down" || hold.cause === "settings") return goDown(server, hold);
      if (hold.cause === "limited") {
        await limit(server, hold.reason);
        return hold;
      }
      const { count, isNew } = countFault(server, hold);
      if (count >= maxFaults) return goDown(server, hold);
      if (isNew && count === 1) await noteFirst(server, hold);
      return hold;
    },
  };
}
