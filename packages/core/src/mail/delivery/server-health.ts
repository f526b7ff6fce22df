import type { MailHold } from "../../ports/mailer.ts";
import type { SmtpServer, SmtpServerHealth } from "../../ports/storage.ts";
import type { Runtime } from "../../service/runtime.ts";
import { recordServerChange } from "./record-server-change.ts";

/** Faults in a row after which a server is down (platform.md P5). */
const mostFaults = 3;
/** Ms for which it is left alone then, doubled each time that a mail finds it so again. */
const firstDownMs = 30_000;
const longestDownMs = 600_000;
/** Ms that the mail which tries it is waited for before another does. */
const probeMs = 60_000;
/** Ms for which a server counts as limited after it said so. */
const limitedMs = 60_000;

/** How the workspaces' servers do: what this process meets is told to all, where it changes anything. */
export interface ServerHealthWatch {
  /** Why nothing is to be handed to the server now. */
  hold(server: SmtpServer): MailHold | undefined;
  /** Says that a mail is about to be handed over. One alone tries a server whose time is over: the server then, or why this one may not. */
  begin(server: SmtpServer): Promise<SmtpServer | MailHold>;
  /** The server took a mail, or judged it. */
  worked(server: SmtpServer): Promise<void>;
  /** The server refuses something by its settings, while other mail may get through. */
  marked(server: SmtpServer, reason: string): Promise<void>;
  /** The server took nothing, through no fault of a mail's; how long it is to be left alone. */
  failed(server: SmtpServer, hold: MailHold): Promise<MailHold>;
}

/** A watch without any faults counted. */
export function createServerHealthWatch(runtime: Runtime): ServerHealthWatch {
  const { storage, queueClock } = runtime;
  /** Faults in a row, and until when a further one is the same one: what was under way together fails together. */
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

  function countFault({ row }: SmtpServer, { retryAfterMs }: MailHold): number {
    const now = queueClock.monotonic();
    const known = faults.get(row) ?? { count: 0, until: Number.NEGATIVE_INFINITY };
    if (now < known.until) return known.count;
    faults.set(row, { count: known.count + 1, until: now + retryAfterMs });
    return known.count + 1;
  }

  return {
    hold({ health }) {
      const left = (health.downUntil ?? 0) - queueClock.now();
      if (health.state !== "down" || left <= 0) return undefined;
      return { cause: "unreachable", reason: health.lastError, retryAfterMs: left };
    },
    async begin(server) {
      if (server.health.state !== "down") return server;
      const health = { ...server.health, downUntil: queueClock.now() + probeMs };
      if (await storage.smtpServers.changeHealth(server.row, server.healthVersion, health))
        return { ...server, health, healthVersion: server.healthVersion + 1 };
      // Another mail is on its way there.
      return { cause: "unreachable", reason: server.health.lastError, retryAfterMs: 1_000 };
    },
    async worked(server) {
      faults.delete(server.row);
      const { state, lastErrorAt = 0 } = server.health;
      if (state === "up" || (state === "limited" && lastErrorAt > queueClock.now() - limitedMs)) return;
      await change(server, {
        ...server.health,
        state: "up",
        downUntil: undefined,
        downSince: undefined,
        downTimes: 0,
        toldAt: undefined,
      });
    },
    marked: limit,
    async failed(server, hold) {
      if (server.health.state === "down" || hold.cause === "settings") return goDown(server, hold);
      if (hold.cause !== "limited")
        return countFault(server, hold) >= mostFaults ? goDown(server, hold) : hold;
      await limit(server, hold.reason);
      return hold;
    },
  };
}
