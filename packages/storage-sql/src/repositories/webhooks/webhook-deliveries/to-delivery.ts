import type { DeliveryStatus, WebhookDelivery } from "@posthorn/core/storage";
import type { Row } from "../../../tables.ts";

/** Converts a row of `webhook_deliveries` for the port. */
export function toDelivery(row: Row<"webhook_deliveries">, webhookId: string): WebhookDelivery {
  return {
    id: row.uuid,
    webhookId,
    workspaceId: row.workspace_id,
    event: row.event,
    payload: row.payload,
    status: row.status as DeliveryStatus,
    attempts: row.attempts,
    responseStatus: row.response_status ?? undefined,
    responseBody: row.response_body,
    durationMs: row.duration_ms ?? undefined,
    error: row.error,
    dueAt: row.due_at ?? undefined,
    createdAt: row.created_at,
    settledAt: row.settled_at ?? undefined,
  };
}
