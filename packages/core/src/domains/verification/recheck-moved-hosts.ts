import type { Runtime } from "../../service/runtime.ts";

/**
 * Makes all domains' checks due if the hosts that their records are compared with are other ones than at the last call
 * on this database: mail would go by the former verdicts for a day.
 */
export async function recheckMovedHosts({
  storage,
  queueClock,
  config: { inboundHost, trackingHost, spfInclude },
}: Pick<Runtime, "storage" | "queueClock" | "config">): Promise<void> {
  const hosts = JSON.stringify({ inboundHost, trackingHost, spfInclude });
  if ((await storage.operations.keepFact("domain_hosts", hosts)) === hosts) return;
  await storage.transaction(async ({ operations, domains }) => {
    await operations.replaceFact("domain_hosts", hosts);
    const now = queueClock.now();
    await domains.checkPlanned(now, now);
  });
}
