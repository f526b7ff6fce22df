import type { Storage } from "@posthorn/core";
import { aliveMs } from "@posthorn/core/internal";
import { everyRoute, restoredCopyFact } from "@posthorn/core/storage";
import { countOf } from "../../terminal/count-of.ts";
import { duration } from "../../terminal/durations.ts";
import { broken, type Finding, ok, warning } from "./finding.ts";

export async function checkSchema(storage: Storage): Promise<Finding> {
  const migrations = await storage.migrations();
  const foreign = migrations.filter(({ isKnown }) => !isKnown);
  if (foreign.length > 0)
    return broken(
      "schema",
      `of another version: ${foreign.map(({ name }) => name).join(", ")} ${foreign.length === 1 ? "is" : "are"} unknown to this one`,
      "Install the version that the service runs, or a newer one.",
    );
  const pending = migrations.filter(({ appliedAt }) => appliedAt === undefined).length;
  if (pending === 0) return ok("schema", `up to date (${migrations.map(({ name }) => name).at(-1)})`);
  return warning(
    "schema",
    `${countOf(pending, "migration has", "migrations have")} not run`,
    "The next start changes that, or: posthorn migrate",
  );
}

const second = 1_000;

/** Compares this machine's clock with the database's, which the service goes by: if they differ, one of them is wrong. */
export async function checkClock(storage: Storage): Promise<Finding> {
  const asked = Date.now();
  const there = await storage.now();
  const answered = Date.now();
  // The database read its clock between these two moments.
  const apart = Math.max(asked - there, there - answered, 0);
  const found =
    apart < second
      ? "synchronised with the database's"
      : `${(apart / second).toFixed(1)} s apart from the database's`;
  const advice =
    "Synchronise both machines (NTP): the service goes by the database's clock, and one-time codes need the true time.";
  if (apart > 10 * second) return broken("clock", found, advice);
  return apart >= second ? warning("clock", found, advice) : ok("clock", found);
}

const day = 86_400 * second;

/** Keys that expire soon: their users will then be refused. */
export async function checkApiKeys(storage: Storage): Promise<Finding> {
  const now = await storage.now();
  const most = 100;
  const expiring = await storage.apiKeys.listExpiring(now, now + 14 * day, most);
  const [first] = expiring;
  if (first === undefined) return ok("API keys", "none expires within 14 days");
  const count = expiring.length === most ? `${most} or more` : String(expiring.length);
  const expire = expiring.length === 1 ? "1 expires" : `${count} expire`;
  const end = new Date(first.expiresAt ?? now).toISOString().slice(0, 10);
  return warning(
    "API keys",
    `${expire} within 14 days; the first is ${first.name} (${first.prefix}…) of workspace ${first.workspaceId}, on ${end}`,
    `Create a replacement: posthorn api-keys create NAME --workspace ${first.workspaceId}`,
  );
}

export async function checkWorkers(storage: Storage): Promise<Finding> {
  const now = await storage.now();
  const alive = await storage.operations.listWorkers(now - aliveMs);
  const newest = alive[0];
  if (newest === undefined) {
    return warning(
      "workers",
      "none reports",
      "Start one: posthorn serve, or posthorn worker. If one runs, it can't write: see its log and the disk",
    );
  }
  const age = Math.max(0, Math.round((now - newest.seenAt) / second));
  return ok("workers", `${alive.length} running, the last heartbeat ${age} s ago`);
}

export async function checkWebhooks(storage: Storage): Promise<Finding> {
  const now = await storage.now();
  const { pending, oldestDueAt } = await storage.webhookDeliveries.status(now);
  const age = oldestDueAt === undefined ? 0 : now - oldestDueAt;
  const found = countOf(pending, "delivery waits", "deliveries wait");
  if (age > 60 * second)
    return warning(
      "webhooks",
      `${found}; the oldest to an endpoint that works has waited for ${duration(age)}`,
      "Start more workers, or see for which: posthorn queue status",
    );
  return ok("webhooks", found);
}

export async function checkQueue(storage: Storage): Promise<Finding> {
  const now = await storage.now();
  const { due, waiting, leased, oldestDueAt } = await storage.emailQueue.status(now);
  const age = oldestDueAt === undefined ? 0 : Math.max(0, Math.round((now - oldestDueAt) / second));
  const found = `${due} due, ${waiting} later, ${leased} in progress`;
  const parked = await storage.emailQueue.parked(now);
  const copiedAt = await storage.operations.findFact(restoredCopyFact);
  if (copiedAt !== undefined && due + waiting + leased === 0) {
    return warning(
      "queue",
      `${found}: paused, as this is a copy of ${copiedAt}`,
      "Begin delivery: posthorn queue resume",
    );
  }
  if (copiedAt !== undefined) {
    return warning(
      "queue",
      `${found}: paused, as this is a copy of ${copiedAt}, and due e-mails may have been sent since`,
      "Deliver them: posthorn queue resume; or cancel those that were due before a time: posthorn queue resume --drop-due-before TIME",
    );
  }
  if (parked.some(({ route }) => route === everyRoute)) {
    return warning("queue", `${found}: paused`, "Resume it: posthorn queue resume");
  }
  const held = new Set(parked.map(({ route }) => route)).size;
  if (held > 0) {
    return warning(
      "queue",
      `${found}; ${countOf(held, "route is", "routes are")} held`,
      "See which and why: posthorn queue status",
    );
  }
  if (due > 0 && age > 60) {
    return warning(
      "queue",
      `${found}; the oldest has waited for ${duration(age * second)}`,
      "Start more workers, or see why: posthorn emails list",
    );
  }
  return ok("queue", found);
}
