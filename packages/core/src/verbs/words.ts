// Printed by `npm run verbs`. Do not edit.
import { accountsWords } from "./words/accounts.ts";
import { apiKeysWords } from "./words/api-keys.ts";
import { attachmentsWords } from "./words/attachments.ts";
import { auditLogWords } from "./words/audit-log.ts";
import { campaignsWords } from "./words/campaigns.ts";
import { domainsWords } from "./words/domains.ts";
import { emailsWords } from "./words/emails.ts";
import { eventsWords } from "./words/events.ts";
import { inboundWords } from "./words/inbound.ts";
import { inboundEndpointsWords } from "./words/inbound-endpoints.ts";
import { invitationsWords } from "./words/invitations.ts";
import { membersWords } from "./words/members.ts";
import { metricsWords } from "./words/metrics.ts";
import { plansWords } from "./words/plans.ts";
import { queueWords } from "./words/queue.ts";
import { recipientsWords } from "./words/recipients.ts";
import { retentionWords } from "./words/retention.ts";
import { sessionsWords } from "./words/sessions.ts";
import { settingsWords } from "./words/settings.ts";
import { smtpServersWords } from "./words/smtp-servers.ts";
import { stylesheetsWords } from "./words/stylesheets.ts";
import { suppressionsWords } from "./words/suppressions.ts";
import { templateVersionsWords } from "./words/template-versions.ts";
import { templatesWords } from "./words/templates.ts";
import { twoFactorWords } from "./words/two-factor.ts";
import { unsubscriptionsWords } from "./words/unsubscriptions.ts";
import { usersWords } from "./words/users.ts";
import { webhooksWords } from "./words/webhooks.ts";
import { workspacesWords } from "./words/workspaces.ts";

/** What each public verb does, by `aggregate.verb`: the words of its docstring, for references and help. */
export const verbWords: Readonly<Record<string, string>> = {
  ...accountsWords,
  ...usersWords,
  ...sessionsWords,
  ...twoFactorWords,
  ...workspacesWords,
  ...membersWords,
  ...invitationsWords,
  ...templatesWords,
  ...templateVersionsWords,
  ...stylesheetsWords,
  ...settingsWords,
  ...plansWords,
  ...auditLogWords,
  ...eventsWords,
  ...apiKeysWords,
  ...webhooksWords,
  ...attachmentsWords,
  ...suppressionsWords,
  ...unsubscriptionsWords,
  ...domainsWords,
  ...smtpServersWords,
  ...emailsWords,
  ...inboundWords,
  ...inboundEndpointsWords,
  ...campaignsWords,
  ...metricsWords,
  ...queueWords,
  ...retentionWords,
  ...recipientsWords,
};
