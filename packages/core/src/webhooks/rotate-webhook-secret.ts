import { z } from "zod";
import { uuidField } from "../calls/input/uuid-field.ts";
import { useCase } from "../calls/use-case.ts";
import { ServiceError } from "../errors.ts";
import type { Webhook } from "../ports/storage.ts";
import { SecretUnreadable } from "../rules/secret-box.ts";
import type { Facilities } from "../service/runtime.ts";
import { createWebhookSecret } from "./rules/webhook-signature.ts";
import { findWebhookOrThrow, secretContext, viewWebhook, type WebhookWithSecret } from "./webhook-view.ts";

/** How long, in ms, the former secret also signs after a rotation (decisions §10). */
const overlapMs = 24 * 60 * 60 * 1000;

/**
 * Rotates a webhook's signing secret and returns the new one, only here. The former one stays valid for 24 h (decisions
 * §10).
 */
export const rotateWebhookSecret = useCase({
  access: "webhooks:write",
  // The lock orders concurrent rotations: the second must keep the secret of the first as the former one.
  locksWorkspace: true,
  input: z.strictObject({ webhookId: uuidField.describe("The webhook's id, a UUID.") }),
  async run({ storage, workspace, runtime, now, emit }, { webhookId }): Promise<WebhookWithSecret> {
    const before = await findWebhookOrThrow(storage, workspace.id, webhookId);
    const secret = createWebhookSecret();
    // One that the replaced secret key sealed can't sign any more.
    const isKept = isReadable(runtime.secrets, before);
    const updated = await storage.webhooks.update(workspace.id, webhookId, {
      secret: runtime.secrets.seal(secret, secretContext(webhookId)),
      formerSecret: isKept ? before.secret : undefined,
      formerSecretUntil: isKept ? now + overlapMs : undefined,
      updatedAt: now,
    });
    if (updated === undefined) throw new ServiceError("not_found");
    emit("webhook.secret_rotated", { metadata: { webhook_id: webhookId } });
    return { ...viewWebhook(updated), secret };
  },
});

function isReadable(secrets: Facilities["secrets"], { id, secret }: Webhook): boolean {
  try {
    secrets.open(secret, secretContext(id));
    return true;
  } catch (error) {
    if (error instanceof SecretUnreadable) return false;
    throw error;
  }
}
