import type { EventType } from "../events.ts";
import type { Repositories } from "../ports/storage.ts";
import { parseMailbox } from "../rules/addresses.ts";
import type { Runtime } from "../service/runtime.ts";
import { type EmailEventData, emailEventPayload } from "./rules/email-event-payload.ts";
import { wantsEvent } from "./rules/webhook-match.ts";

/** The sender's address, of an e-mail as it is kept. */
export const senderOf = (from: string): string => parseMailbox(from)?.address ?? "";

/** Something that happened to an e-mail of a workspace. */
export interface EmailEvent {
  type: EventType;
  workspaceId: number;
  emailId: string;
  /** The sender's address, which filters look at. */
  sender: string;
  /** ms since the epoch. */
  at: number;
  data: EmailEventData;
}

/** Queues the deliveries that the events cause, in the given transaction; how many. */
export async function tellWebhooks(
  runtime: Pick<Runtime, "newId" | "now">,
  storage: Repositories,
  events: EmailEvent[],
): Promise<number> {
  if (events.length === 0) return 0;
  const webhooks = await storage.webhooks.listActive([
    ...new Set(events.map(({ workspaceId }) => workspaceId)),
  ]);
  const deliveries = events.flatMap((event) =>
    webhooks
      .filter(
        (webhook) =>
          webhook.workspaceId === event.workspaceId && wantsEvent(webhook, event.type, event.sender),
      )
      .map((webhook) => ({
        id: runtime.newId(),
        webhookId: webhook.id,
        workspaceId: event.workspaceId,
        event: event.type,
        payload: emailEventPayload(event.type, event.emailId, event.at, event.data),
        createdAt: event.at,
        dueAt: runtime.now(),
      })),
  );
  if (deliveries.length > 0) await storage.webhookDeliveries.insert(deliveries);
  return deliveries.length;
}
