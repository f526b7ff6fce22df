import { createDomainChecks } from "../domains/verification/check-domains.ts";
import { tellAbandonedImports } from "../files/tell-abandoned-imports.ts";
import { createCampaignFeeder } from "../mail/campaigns/feeding/create-campaign-feeder.ts";
import { createEmailDelivery } from "../mail/delivery/deliver-emails.ts";
import type { Topic } from "../ports/storage.ts";
import { createErasing } from "../recipients/erasing.ts";
import type { Runtime } from "../service/runtime.ts";
import { createWebhookDelivery } from "../webhooks/delivery/deliver-webhooks.ts";
import { announceExpiringKeys } from "../workspaces/api-keys/announce-expiring-keys.ts";
import type { HourlyJob } from "./hourly-jobs.ts";
import type { WorkLoop } from "./loop/work-loop.ts";
import { restoreTimes } from "./restore-times.ts";
import { removeHourly } from "./retention/remove-old.ts";

/** A delivery job, in which all processes take part. */
export interface DeliveryJob {
  /** Topic whose notifications wake the loop. Without one, it looks when an item falls due. */
  topic?: Topic;
  /** Whether its items go out of the service, so that one that a stop abandons may arrive twice. */
  goesOut?: boolean;
  create(runtime: Runtime, worker: string): WorkLoop;
}

/** All jobs of a worker, one per line. */
export const jobs: { deliveries: readonly DeliveryJob[]; hourly: readonly HourlyJob[] } = {
  deliveries: [
    { topic: "campaigns", create: createCampaignFeeder },
    { topic: "emails", goesOut: true, create: createEmailDelivery },
    { topic: "webhooks", goesOut: true, create: createWebhookDelivery },
    { create: createDomainChecks },
    { topic: "erasures", create: createErasing },
  ],
  hourly: [
    { name: "restore times", run: restoreTimes },
    { name: "tell expiring keys", run: announceExpiringKeys },
    { name: "tell abandoned imports", run: tellAbandonedImports },
    { name: "retention", run: removeHourly },
  ],
};
