import type { ClaimedDelivery, DeliveryResult, Repositories } from "../../ports/storage.ts";

/**
 * Returns the results, but for deliveries that failed for good at a URL that was changed meanwhile: what a former URL
 * answered tells nothing of the present one, to which they are posted instead of being lost.
 */
export async function spareMoved<Attempted extends { claimed: ClaimedDelivery; result: DeliveryResult }>(
  { webhooks }: Pick<Repositories, "webhooks">,
  attempted: readonly Attempted[],
  now: number,
): Promise<Attempted[]> {
  const failed = attempted.filter(({ result: { next } }) => "status" in next && next.status === "failed");
  /** The present URLs, by webhook. */
  const urls = new Map<string, string | undefined>();
  for (const { claimed } of failed) {
    const { workspaceId, id } = claimed.webhook;
    if (!urls.has(id)) urls.set(id, (await webhooks.find(workspaceId, id))?.url);
  }
  const isMoved = (one: Attempted): boolean => {
    const { id, url } = one.claimed.webhook;
    const present = failed.includes(one) ? urls.get(id) : undefined;
    return present !== undefined && present !== url;
  };
  return attempted.map((one) =>
    isMoved(one) ? { ...one, result: { ...one.result, next: { retryAt: now } } } : one,
  );
}
