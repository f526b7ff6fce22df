import { stylesheets } from "./content/stylesheets/index.ts";
import { templateVersions } from "./content/template-versions/index.ts";
import { templates } from "./content/templates/index.ts";
import { domains } from "./domains/index.ts";
import { auditLog } from "./events/audit-log/index.ts";
import { events } from "./events/index.ts";
import { accounts } from "./identity/accounts/index.ts";
import { sessions } from "./identity/sessions/index.ts";
import { twoFactor } from "./identity/two-factor/index.ts";
import { users } from "./identity/users/index.ts";
import { inboundEndpoints } from "./inbound/endpoints/index.ts";
import { inbound } from "./inbound/index.ts";
import { attachments } from "./mail/attachments/index.ts";
import { campaigns } from "./mail/campaigns/index.ts";
import { emails } from "./mail/emails/index.ts";
import { metrics } from "./mail/metrics/index.ts";
import { smtpServers } from "./mail/smtp-servers/index.ts";
import { queue } from "./queue/index.ts";
import { retention } from "./queue/retention/index.ts";
import { recipients } from "./recipients/index.ts";
import { suppressions } from "./suppressions/index.ts";
import { unsubscriptions } from "./suppressions/unsubscriptions/index.ts";
import { webhooks } from "./webhooks/index.ts";
import { apiKeys } from "./workspaces/api-keys/index.ts";
import { workspaces } from "./workspaces/index.ts";
import { invitations } from "./workspaces/invitations/index.ts";
import { members } from "./workspaces/members/index.ts";
import { plans } from "./workspaces/plans/index.ts";
import { settings } from "./workspaces/settings/index.ts";

/** All use cases of the service, by aggregate and verb. */
export const useCases = {
  accounts,
  users,
  sessions,
  twoFactor,
  workspaces,
  members,
  invitations,
  templates,
  templateVersions,
  stylesheets,
  settings,
  plans,
  auditLog,
  events,
  apiKeys,
  webhooks,
  attachments,
  suppressions,
  unsubscriptions,
  domains,
  smtpServers,
  emails,
  inbound,
  inboundEndpoints,
  campaigns,
  metrics,
  queue,
  retention,
  recipients,
} as const;
