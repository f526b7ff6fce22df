import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { assertWithinLimit } from "../workspaces/plans/plan-limit.ts";
import { redactUrl } from "./rules/redact-url.ts";
import { createWebhookSecret } from "./rules/webhook-signature.ts";
import { assertTarget, webhookFields } from "./webhook-fields.ts";
import { secretContext, viewWebhook, type WebhookWithSecret } from "./webhook-view.ts";

/** Maximum webhooks of one workspace, so that one event can't cause a flood of requests. */
const maxWebhooks = 20;

/**
 * Creates a webhook that posts events to a URL. The signing secret is returned only here (service.md, Webhooks;
 * decisions §10).
 */
export const createWebhook = useCase({
  access: "webhooks:write",
  refusals: ["plan_limit_reached"],
  locksWorkspace: true,
  input: z.strictObject({ ...webhookFields, filters: webhookFields.filters.default([]) }),
  async run(
    { storage, workspace, runtime, config, now, emit },
    { url, events, filters },
  ): Promise<WebhookWithSecret> {
    assertTarget(url, config);
    await assertWithinLimit("max_webhooks", maxWebhooks, async () => {
      const existing = await storage.webhooks.list(workspace.id);
      return existing.length;
    });
    const id = runtime.newId();
    const secret = createWebhookSecret();
    const webhook = await storage.webhooks.insert({
      id,
      workspaceId: workspace.id,
      url,
      events,
      filters,
      isActive: true,
      secret: runtime.secrets.seal(secret, secretContext(id)),
      createdAt: now,
    });
    emit("webhook.created", { metadata: { webhook_id: id, url: redactUrl(url), events, filters } });
    return { ...viewWebhook(webhook), secret };
  },
});
