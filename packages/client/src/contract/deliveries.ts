// Printed by `npm run docs:routes` from the table of routes.
import type { WebhookDelivery } from "./schemas.ts";

/** Lines of the contract about deliveries. */
export interface DeliveriesLines {
  /** Redeliver by the delivery's id alone. */
  "POST /workspaces/current/deliveries/{id}/redeliver": {
    fields: {
      /** The delivery's id, a UUID. */
      id: string | number;
      /** The id of the webhook that the delivery must belong to, a UUID. Default: any webhook of the workspace. */
      webhook_id?: string | undefined;
    };
    reply: WebhookDelivery;
  };
}
