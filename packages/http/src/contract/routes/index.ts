import { accountRoutes } from "./accounts.ts";
import { attachmentRoutes } from "./attachments.ts";
import { campaignRoutes } from "./campaigns.ts";
import { domainRoutes } from "./domains.ts";
import { emailRoutes } from "./emails.ts";
import { inboundRoutes } from "./inbound.ts";
import { metricsRoutes } from "./metrics.ts";
import { planRoutes } from "./plans.ts";
import { queueRoutes } from "./queue.ts";
import { recipientRoutes } from "./recipients.ts";
import { securityRoutes } from "./security.ts";
import { smtpServerRoutes } from "./smtp-servers.ts";
import { suppressionRoutes } from "./suppressions.ts";
import { templateRoutes } from "./templates.ts";
import { webhookRoutes } from "./webhooks.ts";
import { workspaceRoutes } from "./workspaces.ts";

/** All lines of the contract except the event stream. */
export const routes = [
  ...accountRoutes,
  ...securityRoutes,
  ...workspaceRoutes,
  ...templateRoutes,
  ...planRoutes,
  ...domainRoutes,
  ...webhookRoutes,
  ...smtpServerRoutes,
  ...emailRoutes,
  ...suppressionRoutes,
  ...recipientRoutes,
  ...attachmentRoutes,
  ...inboundRoutes,
  ...campaignRoutes,
  ...metricsRoutes,
  ...queueRoutes,
] as const;
