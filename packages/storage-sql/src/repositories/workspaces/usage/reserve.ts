import type { UsageOutcome, UsageRequest } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../../engine.ts";
import { addToShard, type Counter, keyOf, limited, lockCounters, windowsOf } from "./counters.ts";
import { recall } from "./recall.ts";

/**
 * Charges what fits, in order, in a transaction: to this process's leases, or else to the counters, under their lock.
 */
export async function reserve(
  db: Handle,
  engine: Engine,
  requests: readonly UsageRequest[],
): Promise<UsageOutcome[]> {
  const leased = engine.leases?.take(db, requests) ?? new Set<number>();
  const isLeased = ({ workspaceId }: UsageRequest): boolean => leased.has(workspaceId);
  const others = requests.filter((request) => !isLeased(request));
  const outcomes = (await charge(db, engine, others)).values();
  engine.leases?.want(engine, others);
  return requests.map(
    (request) => (isLeased(request) ? undefined : outcomes.next().value) ?? { allowed: true },
  );
}

async function charge(
  db: Handle,
  engine: Engine,
  requests: readonly UsageRequest[],
): Promise<UsageOutcome[]> {
  if (requests.length === 0) return [];
  const counters = await lockCounters(db, engine, requests);
  const before = copyOf(counters);
  let outcomes = decideAll(counters, requests);
  const refused = requests.filter((_, index) => !outcomes[index]?.allowed);
  if (refused.length > 0 && engine.leases !== undefined) {
    // Nothing is refused while another process has unspent quota.
    const fresh = copyOf(before);
    const recalled = await recall(db, engine, refused);
    for (const { left, ...row } of recalled) {
      const counter = fresh.get(keyOf(row));
      if (counter !== undefined) counter.used -= left;
    }
    if (recalled.length > 0) {
      outcomes = decideAll(fresh, requests);
      for (const [key, counter] of fresh) counters.set(key, counter);
    }
  }
  const changes = [...counters].map(([key, counter]) => ({
    ...counter,
    used: counter.used - (before.get(key)?.used ?? 0),
  }));
  await addToShard(db, engine, limited, changes);
  return outcomes;
}

const copyOf = (counters: ReadonlyMap<string, Counter>): Map<string, Counter> =>
  new Map([...counters].map(([key, counter]) => [key, { ...counter }]));

const decideAll = (counters: Map<string, Counter>, requests: readonly UsageRequest[]): UsageOutcome[] =>
  requests.map((request) => decide(counters, request));

/** Charges both windows or neither. If neither fits, the day is named, because it is the longer wait. */
function decide(counters: Map<string, Counter>, request: UsageRequest): UsageOutcome {
  const windows = windowsOf(request);
  const hour = counters.get(keyOf(windows.hour));
  const day = counters.get(keyOf(windows.day));
  if (hour === undefined || day === undefined) throw new Error("a usage counter is missing");
  for (const [window, counter] of [["day", day] as const, ["hour", hour] as const]) {
    const { limit } = request[window];
    if (limit > 0 && counter.used + request.recipients > limit)
      return { allowed: false, window, used: counter.used, limit };
  }
  hour.used += request.recipients;
  day.used += request.recipients;
  return { allowed: true };
}
