import type { Storage } from "@posthorn/core";
import type { SettingValues } from "../../settings.ts";
import { broken, type Finding, ok, warning } from "./finding.ts";

export async function checkSchema(storage: Storage): Promise<Finding> {
  const migrations = await storage.migrations();
  const pending = migrations.filter(({ appliedAt }) => appliedAt === undefined).length;
  if (pending === 0) return ok("schema", `up to date, ${migrations.length} migrations`);
  return warning(
    "schema",
    `${pending} migrations have not run`,
    "The next start runs them, or: posthorn migrate",
  );
}

const second = 1_000;

/** A worker writes its time every 10 s: one from the future tells of clocks that differ. */
export async function checkClock(storage: Storage, _values: SettingValues): Promise<Finding> {
  const now = Date.now();
  const newest = (await storage.operations.listWorkers(now))[0];
  const ahead = newest === undefined ? 0 : newest.seenAt - now;
  if (ahead > 2 * second) {
    return broken(
      "clock",
      `this machine is ${Math.round(ahead / second)} s behind another that works on the database`,
      "Keep the machines' clocks in step (NTP): leases and one-time codes depend on it.",
    );
  }
  return ok("clock", `${new Date(now).toISOString()}, in step`);
}

/** Workers give a sign of life every 10 s. */
const aliveMs = 30 * second;

export async function checkWorkers(storage: Storage): Promise<Finding> {
  const now = Date.now();
  const alive = await storage.operations.listWorkers(now - aliveMs);
  const newest = alive[0];
  if (newest === undefined) {
    return warning("workers", "nobody delivers", "Start one: posthorn serve, or posthorn worker");
  }
  const age = Math.max(0, Math.round((now - newest.seenAt) / second));
  return ok("workers", `${alive.length} at work, the last sign of life ${age} s ago`);
}

export async function checkQueue(storage: Storage): Promise<Finding> {
  const now = Date.now();
  const { due, waiting, leased, oldestDueAt } = await storage.emails.queueStatus(now);
  const age = oldestDueAt === undefined ? 0 : Math.max(0, Math.round((now - oldestDueAt) / second));
  const found = `${due} due, ${waiting} later, ${leased} under way`;
  if (await storage.operations.isPaused()) {
    return warning("queue", `${found}: paused`, "Deliver again: posthorn queue resume");
  }
  if (due > 0 && age > 60) {
    return warning(
      "queue",
      `${found}; the oldest waits for ${age} s`,
      "Start more workers, or see why: posthorn emails list",
    );
  }
  return ok("queue", found);
}
