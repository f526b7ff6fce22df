export {
  addedRecipientsWire,
  campaignCheckWire,
  campaignRecipientWire,
  campaignWire,
} from "./campaigns.ts";
export { domainWire } from "./domains.ts";
export { dryRunWire } from "./dry-runs.ts";
export { emailDetailsWire, emailWire } from "./emails.ts";
export { eventWire } from "./events.ts";
export { inboundReportDetailsWire, inboundReportWire } from "./inbound.ts";
export { metricsWire } from "./metrics.ts";
export { administeredUserWire, userWire } from "./people.ts";
export { planWire, userPlanWire, workspacePlanWire } from "./plans.ts";
export { smtpServerTestWire, smtpServerWire } from "./smtp-servers.ts";
export { suppressionCheckWire, suppressionWire } from "./suppressions.ts";
export { previewWire, stylesheetWire, templateDetailsWire, templateWire, versionWire } from "./templates.ts";
export {
  apiKeyWire,
  apiKeyWithTextWire,
  deliveryWire,
  webhookWire,
  webhookWithSecretWire,
} from "./webhooks.ts";
export { administeredWorkspaceWire, memberWire, workspaceWire } from "./workspaces.ts";
