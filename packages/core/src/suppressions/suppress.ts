import { createEvent } from "../calls/outbox.ts";
import type { EventOrigin } from "../mail/email-events.ts";
import type { Notifications } from "../mail/notifications.ts";
import type { PutOutcome, Repositories, Suppression } from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";
import { deliveriesTo } from "../webhooks/deliveries-to.ts";

/**
 * Suppresses addresses in the caller's transaction. All suppressions, by people, bounces, complaints and
 * unsubscriptions, are created here. Returns the outcome for each entry, and the events and webhook deliveries for
 * those added; the caller must write these, in a use case by `record`.
 */
export async function suppress(
  runtime: Pick<Runtime, "newId" | "queueClock">,
  storage: Pick<Repositories, "suppressions" | "webhooks">,
  entries: Suppression[],
  origin: EventOrigin & { now: number },
): Promise<{ outcomes: PutOutcome[]; notifications: Notifications }> {
  const outcomes = await storage.suppressions.put(entries, origin.now);
  const added = entries.filter((_, index) => outcomes[index] === "added");
  const notifications: Notifications = { events: [], deliveries: [] };
  if (added.length === 0) return { outcomes, notifications };
  const workspaces = new Set(added.map(({ workspaceId }) => workspaceId));
  const webhooks = await storage.webhooks.listActive([...workspaces]);
  for (const entry of added) {
    const { workspaceId, address: email, scope, origin: from } = entry;
    notifications.events.push(
      createEvent(
        "suppression.created",
        { metadata: { email, scope, origin: from } },
        { ...origin, workspaceId },
      ),
    );
    const own = webhooks.filter((webhook) => webhook.workspaceId === workspaceId);
    const notice = { workspaceId, type: "suppression.created", at: origin.now };
    notifications.deliveries.push(
      ...deliveriesTo(runtime, own, { ...notice, payload: () => payloadOf(entry, origin.now) }),
    );
  }
  return { outcomes, notifications };
}

const timeOrNull = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

/** Returns the webhook payload of `suppression.created`. */
function payloadOf(entry: Suppression, now: number): string {
  const { address, scope, origin, reason, emailId, expiresAt } = entry;
  return JSON.stringify({
    event: "suppression.created",
    timestamp: new Date(now).toISOString(),
    data: {
      email: address,
      scope,
      origin,
      reason,
      email_id: emailId ?? null,
      expires_at: timeOrNull(expiresAt),
    },
  });
}
