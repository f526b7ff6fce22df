import type { DomainStatus } from "../ports/storage/domains.ts";

/** Returns the payload of a webhook event about a sending domain. `at` is in ms since the epoch. */
export function domainEventPayload(
  event: string,
  domain: { id: string; name: string; status: DomainStatus; statusReason: string },
  at: number,
): string {
  return JSON.stringify({
    event,
    domain_id: domain.id,
    timestamp: new Date(at).toISOString(),
    data: { name: domain.name, status: domain.status, reason: domain.statusReason },
  });
}
