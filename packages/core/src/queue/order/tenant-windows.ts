import { tenantOfRoute, tenantsPart } from "../../mail/rules/routes.ts";
import type { ClaimedEmail } from "../../ports/storage.ts";
import { createItemMap } from "../loop/item-map.ts";

/** Ms after which an e-mail in progress counts as stalled. */
const stalledMs = 30_000;
/** Part of the slots for each tenant in the beginning, at least `leastWindow`. */
const firstPart = 1 / 16;
const leastWindow = 3;
/** Part of the tenants' slots that only tenants without an e-mail in progress may take. */
const keptPart = 1 / 8;
/** With fewer of the tenants' slots, none is kept: a tenant alone would have a single one. */
const leastToKeep = 3;
/** Factors of the free slots below which a tenant's e-mails in progress must be: until its mail has flowed, and then. */
const newcomersFactor = 1 / 2;
const flowingFactor = 2;
/** Maximum number of tenants whose windows are remembered. */
const mostKnown = 1000;

/** Limits on the e-mails in progress that workspaces' own servers may carry. */
export interface TenantWindows<T> {
  /** Whether no more of the tenant's e-mails may begin for now. */
  isFull(tenant: number): boolean;
  begin(item: T): void;
  /** The item begins only now: until now it waited for others. */
  restart(item: T): void;
  end(item: T): void;
}

/**
 * Creates the windows, one for each tenant: it grows by one with each e-mail that ends in time, and is halved by one
 * that stalled. A few tenants whose servers stall therefore can't occupy all slots, which a fixed limit for each would
 * permit. The fewer slots are free, the fewer a tenant may have (dynamic thresholds, Choudhury and Hahne), and the last
 * are for tenants that have none: however many stall together, each further one waits only when none is left at all.
 */
export function createTenantWindows<T extends Pick<ClaimedEmail, "route">>(
  slots: number,
  monotonic: () => number,
): TenantWindows<T> {
  const most = Math.max(1, Math.floor(slots * tenantsPart));
  const kept = Math.floor(most * keptPart);
  const last = Math.max(kept, most < leastToKeep ? 0 : 1);
  const first = Math.min(most, Math.max(leastWindow, Math.floor(slots * firstPart)));
  /** The windows of tenants whose mail flows: beyond the first, unless there are too few slots for that. */
  const windows = new Map<number, number>();
  const active = new Map<number, number>();
  const begun = createItemMap<T, number>();
  let total = 0;

  function count(tenant: number, by: 1 | -1): void {
    const sum = (active.get(tenant) ?? 0) + by;
    if (sum === 0) active.delete(tenant);
    else active.set(tenant, sum);
    total += by;
  }

  function setWindow(tenant: number, window: number): void {
    windows.delete(tenant);
    if (window <= first) return;
    const [oldest] = windows.size < mostKnown ? [] : windows.keys();
    if (oldest !== undefined) windows.delete(oldest);
    windows.set(tenant, Math.min(most, window));
  }

  return {
    isFull(tenant) {
      const own = active.get(tenant) ?? 0;
      if (own === 0) return total >= most;
      if (total >= most - last) return true;
      const window = windows.get(tenant);
      const factor = window === undefined ? newcomersFactor : flowingFactor;
      return own >= (window ?? first) || own >= factor * (most - total - kept);
    },
    restart(item) {
      if (begun.has(item)) begun.set(item, monotonic());
    },
    begin(item) {
      const tenant = tenantOfRoute(item.route);
      if (tenant === undefined) return;
      count(tenant, 1);
      begun.set(item, monotonic());
    },
    end(item) {
      const tenant = tenantOfRoute(item.route);
      if (tenant === undefined) return;
      const isStalled = monotonic() - (begun.get(item) ?? 0) >= stalledMs;
      const window = windows.get(tenant) ?? first;
      begun.delete(item);
      count(tenant, -1);
      setWindow(tenant, isStalled ? Math.floor(window / 2) : window + 1);
    },
  };
}
