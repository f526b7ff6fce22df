import { z } from "zod";
import type { FieldChange } from "../calls/changes-of.ts";
import { atLeastOne } from "../calls/input/at-least-one.ts";
import { uuidField } from "../calls/input/uuid-field.ts";
import { useCase } from "../calls/use-case.ts";
import { ServiceError } from "../errors.ts";
import { unknownPace } from "./rules/endpoint-pace.ts";
import { redactUrl } from "./rules/redact-url.ts";
import { assertTarget, webhookFields } from "./webhook-fields.ts";
import { findWebhookOrThrow, viewWebhook, type WebhookView } from "./webhook-view.ts";

/** Changes a webhook. Another URL, or enabling it again, resets its count of failures (decisions §10). */
export const updateWebhook = useCase({
  access: "webhooks:write",
  // The lock makes concurrent changes to different fields both last.
  locksWorkspace: true,
  input: z
    .strictObject({
      webhookId: uuidField.describe("The webhook's id, a UUID."),
      url: webhookFields.url.optional(),
      events: webhookFields.events.optional(),
      filters: webhookFields.filters.optional(),
      isActive: z
        .boolean("must be true or false")
        .optional()
        .describe("Whether the webhook is active and receives events."),
    })
    .apply(atLeastOne, "webhookId"),
  async run({ storage, workspace, config, now, emit }, { webhookId, ...given }): Promise<WebhookView> {
    if (given.url !== undefined) assertTarget(given.url, config);
    const before = viewWebhook(await findWebhookOrThrow(storage, workspace.id, webhookId));
    const {
      url = before.url,
      events = before.events,
      filters = before.filters,
      isActive = before.isActive,
    } = given;
    const changes = changesBetween(before, { url, events, filters, isActive });
    if (Object.keys(changes).length === 0) return before;
    // Only the given fields are written, as failing deliveries may disable the webhook at the same time.
    const fields = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as Partial<WebhookView>;
    const updated = await storage.webhooks.update(workspace.id, webhookId, {
      ...fields,
      ...(url !== before.url || (isActive && !before.isActive) ? healthy : {}),
      updatedAt: now,
    });
    if (updated === undefined) throw new ServiceError("not_found");
    emit("webhook.updated", { metadata: { webhook_id: webhookId, changes } });
    return viewWebhook(updated);
  },
});

/** Resets what is known of the endpoint. */
const healthy = { exhaustedInARow: 0, failuresInARow: 0, pace: unknownPace, pausedUntil: undefined };

/** Returns the changed fields as `changesOf` does, for the log; lists with the same items are equal. */
function changesBetween(
  before: WebhookView,
  after: Pick<WebhookView, "url" | "events" | "filters" | "isActive">,
): Record<string, FieldChange> {
  const found: Record<string, FieldChange> = {};
  const compare = (field: string, from: unknown, to: unknown): void => {
    if (JSON.stringify(from) !== JSON.stringify(to)) found[field] = { from, to };
  };
  if (before.url !== after.url) found["url"] = { from: redactUrl(before.url), to: redactUrl(after.url) };
  compare("events", before.events, after.events);
  compare("filters", before.filters, after.filters);
  compare("is_active", before.isActive, after.isActive);
  return found;
}
