import { createDomainChecks } from "../domains/verification/check-domains.ts";
import { createCampaignFeeder } from "../mail/campaigns/create-campaign-feeder.ts";
import { createEmailDelivery } from "../mail/delivery/deliver-emails.ts";
import type { Topic } from "../ports/storage.ts";
import { createErasing } from "../recipients/erasing.ts";
import type { Runtime } from "../service/runtime.ts";
import { createWebhookDelivery } from "../webhooks/delivery/deliver-webhooks.ts";
import { tellExpiringKeys } from "../workspaces/api-keys/tell-expiring-keys.ts";
import type { HourlyJob } from "./hourly-jobs.ts";
import { removeAndReclaim } from "./retention/remove-old.ts";
import type { WorkLoop } from "./work-loop.ts";

/** Work that is delivered as it falls due: every process takes its part. */
export interface DeliveryJob {
  /** News of it wakes the loop; without, it looks when something falls due. */
  topic?: Topic;
  create(runtime: Runtime, worker: string): WorkLoop;
}

/** Everything that a worker does: a job is a line here. */
export const jobs: { deliveries: readonly DeliveryJob[]; hourly: readonly HourlyJob[] } = {
  deliveries: [
    { topic: "campaigns", create: createCampaignFeeder },
    { topic: "emails", create: createEmailDelivery },
    { topic: "webhooks", create: createWebhookDelivery },
    { create: createDomainChecks },
    { create: createErasing },
  ],
  hourly: [
    { name: "tell expiring keys", run: tellExpiringKeys },
    { name: "retention", run: removeAndReclaim },
  ],
};
