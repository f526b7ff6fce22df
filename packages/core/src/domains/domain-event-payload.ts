import type { DomainStatus } from "../ports/storage/domains.ts";

/** The body that webhooks get about a sending domain. `at`: ms since the epoch. */
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
