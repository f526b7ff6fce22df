import { mkdtempSync } from "node:fs";
import { describeApiKeys } from "../../core/src/testing/contract/api-keys.ts";
import { describeEmails } from "../../core/src/testing/contract/emails.ts";
import { describeEvents } from "../../core/src/testing/contract/events.ts";
import { describeIdempotencyKeys } from "../../core/src/testing/contract/idempotency-keys.ts";
import { describeUsage } from "../../core/src/testing/contract/usage.ts";
import { describeWebhookDeliveries } from "../../core/src/testing/contract/webhook-deliveries.ts";
import { describeWebhooks } from "../../core/src/testing/contract/webhooks.ts";
import { createSqliteStorage } from "./index.ts";

const open = async () => {
  const filename = process.env.FILE ? mkdtempSync("/tmp/d2-") + "/x.db" : ":memory:";
  const s = await createSqliteStorage({ filename });
  await s.migrate();
  return s;
};
for (const d of [
  describeUsage,
  describeApiKeys,
  describeIdempotencyKeys,
  describeEvents,
  describeWebhooks,
  describeWebhookDeliveries,
  describeEmails,
])
  d(open);
