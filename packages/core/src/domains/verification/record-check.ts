import { orNotFound } from "../../calls/or-not-found.ts";
import type {
  Domain,
  DomainFindings,
  NewWebhookDelivery,
  Repositories,
  StoredDkimKey,
} from "../../ports/storage.ts";
import type { Runtime } from "../../service/runtime.ts";
import { deliveriesTo } from "../../webhooks/deliveries-to.ts";
import { returnPathDomain } from "../rules/return-path.ts";
import { trackingDomain } from "../rules/tracking-host.ts";
import { judgeFindings, nextCheckAt, nextStatus } from "./domain-status.ts";
import { findingOf } from "./rotate-keys.ts";

/** Result of storing a check. */
export interface RecordedCheck {
  domain: Domain;
  /** The event to emit if the status changed. */
  event: "domain.verified" | "domain.warning" | "domain.failed" | undefined;
  /** Deliveries of that event to the webhooks that want it. */
  deliveries: NewWebhookDelivery[];
}

/**
 * Stores the findings of a check of the domain as it was `checked`. The transaction must have locked the domain as it is
 * now: if its return path or tracking host changed meanwhile, the check that the change planned stays planned.
 */
export async function recordCheck(
  runtime: Pick<Runtime, "newId" | "queueClock" | "random">,
  storage: Repositories,
  domain: Domain,
  { findings, checked }: { findings: DomainFindings; checked: Pick<Domain, "returnPath" | "tracking"> },
): Promise<RecordedCheck> {
  const isMoved = checked.returnPath !== domain.returnPath || checked.tracking !== domain.tracking;
  const now = runtime.queueClock.now();
  const outcome = judgeFindings(domain, findings);
  const status = nextStatus(domain, outcome, now);
  const changed = status !== domain.status;
  await storage.domains.notePublished(domain, publishedOf(domain, findings));
  const noted = orNotFound(
    await storage.domains.update(domain.workspaceId, domain.id, {
      findings: { zone: domain.findings.zone, ...findings },
      returnPathVerified: isReturnPathVerified(domain, findings),
      trackingVerified: isTrackingVerified(domain, findings),
      checkedAt: now,
      nextCheckAt: isMoved ? domain.nextCheckAt : nextCheckAt({ ...domain, status }, now, runtime.random()),
      ...(outcome.kind !== "unknown" && { statusReason: outcome.reason }),
      ...(changed && { status, updatedAt: now }),
      // A status of a clock that was ahead counts from the first check by the right one.
      ...((changed || domain.statusSince > now) && { statusSince: now }),
      ...(changed && status === "verified" && { verifiedAt: now }),
    }),
    "such domain",
  );
  if (!changed || status === "pending") return { domain: noted, event: undefined, deliveries: [] };
  const event = `domain.${status}` as const;
  const webhooks = await storage.webhooks.listActive([domain.workspaceId]);
  const deliveries = deliveriesTo(runtime, webhooks, {
    workspaceId: domain.workspaceId,
    type: event,
    sender: `@${domain.name}`,
    at: now,
    payload: () =>
      JSON.stringify({
        event,
        domain_id: noted.id,
        timestamp: new Date(now).toISOString(),
        data: { name: noted.name, status: noted.status, reason: noted.statusReason },
      }),
  });
  return { domain: noted, event, deliveries };
}

/** Returns the keys whose publication the check found changed. A name server that did not answer changes nothing. */
function publishedOf(
  domain: Domain,
  findings: DomainFindings,
): Pick<StoredDkimKey, "selector" | "isPublished">[] {
  return domain.keys.flatMap(({ selector, isPublished: before }) => {
    const found = findingOf({ ...domain, findings }, selector);
    if (found === undefined || found.status === "unreachable") return [];
    const isPublished = found.status === "ok";
    return isPublished === before ? [] : { selector, isPublished };
  });
}

/**
 * Whether all records of the return path are published. Servers that did not answer change nothing. Findings for a
 * previous return path do not count.
 */
function isReturnPathVerified(domain: Domain, { records }: DomainFindings): boolean {
  const name = returnPathDomain(domain);
  const own = records.filter((record) => record.purpose === "return_path" && record.name === name);
  if (!own.some(({ type }) => type === "MX")) return false;
  const told = own.filter(({ status }) => status !== "unreachable");
  if (told.some(({ status }) => status !== "ok")) return false;
  return told.length === own.length || domain.returnPathVerified;
}

/** Whether the tracking host's record is published. An unanswered check and a former host count as above. */
function isTrackingVerified(domain: Domain, { records }: DomainFindings): boolean {
  const name = trackingDomain(domain);
  const own = records.find((record) => record.purpose === "tracking" && record.name === name);
  return own?.status === "unreachable" ? domain.trackingVerified : own?.status === "ok";
}
