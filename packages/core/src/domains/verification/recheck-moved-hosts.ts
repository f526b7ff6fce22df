import { isLocked } from "../../ports/is-locked.ts";
import type { Runtime } from "../../service/runtime.ts";

/**
 * Makes all domains' checks due if the hosts that their records are compared with are other ones than at the last call
 * on this database: mail would go by the former verdicts for a day. Returns `false` if another transaction keeps one of
 * them locked: until that ends, checks go on as planned.
 */
export async function recheckMovedHosts({
  storage,
  queueClock,
  config: { inboundHost, trackingHost, spfInclude },
}: Pick<Runtime, "storage" | "queueClock" | "config">): Promise<boolean> {
  const hosts = JSON.stringify({ inboundHost, trackingHost, spfInclude });
  if ((await storage.operations.keepFact("domain_hosts", hosts)) === hosts) return true;
  try {
    await storage.transaction(async ({ operations, domains }) => {
      await operations.replaceFact("domain_hosts", hosts);
      const now = queueClock.now();
      await domains.checkPlanned(now, now);
    });
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
  return true;
}
