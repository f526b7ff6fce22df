import { randomInt } from "node:crypto";
import type { UsageRequest } from "@posthorn/core/storage";
import type { Engine, Handle, QuotaLeases } from "../../../engine.ts";
import { addToShard, type Counter, windowsOf } from "./counters.ts";
import { type LeasedWindows, lease } from "./lease.ts";

/** Recipients that a process holds of one workspace at the most (design: queue.md, Round trips). */
const most = 200;
/** Recipients charged to a workspace's counters within a second, from which on it is busy enough for a lease. */
const busyFrom = 10;
/** Workspaces that are held for, or watched, at the most: beyond it all are forgotten, and the busy ones are back at once. */
const workspacesAtMost = 1_000;

/** A lease is good for the hour, the day and the limits that it was taken under. */
interface Lease extends LeasedWindows {
  left: number;
}

/**
 * Leases of quotas for this process. Taking one waits for nobody's request: it goes on beside them, in transactions of its own on `open()`.
 * What the database holds is right whatever this process believes: spending more than is left of a lease, or of one that was recalled, fails
 * the transaction, and the next run of it charges the counters.
 */
export function createQuotaLeases(open: () => Handle): QuotaLeases {
  const holder = -randomInt(1, 2 ** 47);
  const leases = new Map<number, Lease>();
  const leasing = new Set<number>();
  const charged = new Map<number, { since: number; recipients: number }>();
  const spenders = new WeakMap<Handle, Set<number>>();

  const renew = async (engine: Engine, wanted: LeasedWindows): Promise<void> => {
    const { workspaceId } = wanted;
    if (leasing.has(workspaceId)) return;
    leasing.add(workspaceId);
    try {
      const held = heldOf(wanted);
      const taken = await lease(open(), engine, { ...wanted, holder, most: most - held });
      if (taken === 0) return;
      if (leases.size >= workspacesAtMost) leases.clear();
      // What was forgotten meanwhile stays so; it is in the database, for whoever recalls it.
      leases.set(workspaceId, { ...wanted, left: heldOf(wanted) + taken });
    } catch {
      // Quotas are charged all the same, to their counters.
    } finally {
      leasing.delete(workspaceId);
    }
  };
  const heldOf = (wanted: LeasedWindows): number => {
    const held = leases.get(wanted.workspaceId);
    return held !== undefined && isFor(held, wanted) ? held.left : 0;
  };

  return {
    take(db, requests) {
      const taken = new Set<number>();
      if (leases.size === 0) return taken;
      for (const [workspaceId, own] of Map.groupBy(requests, (request) => request.workspaceId)) {
        const held = leases.get(workspaceId);
        if (held === undefined) continue;
        const recipients = sumOf(own);
        if (recipients > held.left || !own.every((request) => isFor(held, request))) continue;
        held.left -= recipients;
        taken.add(workspaceId);
        const spent = spenders.get(db) ?? new Set();
        spenders.set(db, spent.add(workspaceId));
      }
      return taken;
    },
    async spend(db, engine, requests) {
      const changes = new Map<string, Counter>();
      for (const request of requests)
        for (const window of Object.values(windowsOf(request))) {
          const key = `${window.workspace_id} ${window.window_kind}`;
          const used = (changes.get(key)?.used ?? 0) + request.recipients;
          changes.set(key, { ...window, used });
        }
      await addToShard(db, engine, holder, [...changes.values()]);
      for (const held of new Set(requests.map(({ workspaceId }) => leases.get(workspaceId))))
        if (held !== undefined && held.left < most / 2) void renew(engine, held);
    },
    want(engine, requests) {
      const now = performance.now();
      for (const request of requests) {
        if (request.hour.limit === 0 && request.day.limit === 0) continue;
        const known = charged.get(request.workspaceId);
        const current =
          known !== undefined && now - known.since < 1_000 ? known : { since: now, recipients: 0 };
        current.recipients += request.recipients;
        if (charged.size >= workspacesAtMost) charged.clear();
        charged.set(request.workspaceId, current);
        if (current.recipients < busyFrom) continue;
        charged.delete(request.workspaceId);
        void renew(engine, request);
      }
    },
    forget(workspaceId) {
      leases.delete(workspaceId);
    },
    forgetAfter(db) {
      for (const workspaceId of spenders.get(db) ?? []) leases.delete(workspaceId);
    },
  };
}

const sumOf = (requests: readonly UsageRequest[]): number =>
  requests.reduce((sum, { recipients }) => sum + recipients, 0);

/** Whether the lease is for these windows, and the plan is as it was. */
const isFor = (held: LeasedWindows, wanted: LeasedWindows): boolean =>
  (["hour", "day"] as const).every(
    (window) => held[window].start === wanted[window].start && held[window].limit === wanted[window].limit,
  );
