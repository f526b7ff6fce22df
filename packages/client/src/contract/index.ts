// Printed by `npm run docs:routes` from the table of routes.
import type { AdminEventsLines } from "./admin-events.ts";
import type { AdminPlansLines } from "./admin-plans.ts";
import type { AdminQueueLines } from "./admin-queue.ts";
import type { AdminUsersLines } from "./admin-users.ts";
import type { AdminUsersByExternalIdLines } from "./admin-users-by-external-id.ts";
import type { AdminWorkspacesLines } from "./admin-workspaces.ts";
import type { AdminWorkspacesByExternalIdLines } from "./admin-workspaces-by-external-id.ts";
import type { ApiKeysLines } from "./api-keys.ts";
import type { AttachmentsLines } from "./attachments.ts";
import type { AuditLogLines } from "./audit-log.ts";
import type { AuthLines } from "./auth.ts";
import type { CampaignsLines } from "./campaigns.ts";
import type { DeliveriesLines } from "./deliveries.ts";
import type { DomainsLines } from "./domains.ts";
import type { EmailsLines } from "./emails.ts";
import type { InboundLines } from "./inbound.ts";
import type { InboundEndpointsLines } from "./inbound-endpoints.ts";
import type { InboundReportsLines } from "./inbound-reports.ts";
import type { InvitationsLines } from "./invitations.ts";
import type { MembersLines } from "./members.ts";
import type { MetricsLines } from "./metrics.ts";
import type { PlanLines } from "./plan.ts";
import type { RecipientsLines } from "./recipients.ts";
import type { SettingsLines } from "./settings.ts";
import type { SmtpServersLines } from "./smtp-servers.ts";
import type { StylesheetsLines } from "./stylesheets.ts";
import type { SuppressionsLines } from "./suppressions.ts";
import type { TemplatesLines } from "./templates.ts";
import type { TransferOwnershipLines } from "./transfer-ownership.ts";
import type { UsersLines } from "./users.ts";
import type { WebhooksLines } from "./webhooks.ts";
import type { WorkspacesLines } from "./workspaces.ts";

/** What every line of the contract takes and answers. */
export interface Contract
  extends AdminEventsLines,
    AdminPlansLines,
    AdminQueueLines,
    AdminUsersLines,
    AdminUsersByExternalIdLines,
    AdminWorkspacesLines,
    AdminWorkspacesByExternalIdLines,
    ApiKeysLines,
    AttachmentsLines,
    AuditLogLines,
    AuthLines,
    CampaignsLines,
    DeliveriesLines,
    DomainsLines,
    EmailsLines,
    InboundLines,
    InboundEndpointsLines,
    InboundReportsLines,
    InvitationsLines,
    MembersLines,
    MetricsLines,
    PlanLines,
    RecipientsLines,
    SettingsLines,
    SmtpServersLines,
    StylesheetsLines,
    SuppressionsLines,
    TemplatesLines,
    TransferOwnershipLines,
    UsersLines,
    WebhooksLines,
    WorkspacesLines {}

/** Lines whose fields come in the body although they delete. */
export const deletesWithBody: readonly string[] = ["DELETE /users/me", "DELETE /workspaces/current"];

/** Fields that come in the query beside a body. */
export const queried: Readonly<Record<string, readonly string[]>> = {
  "POST /attachments": ["filename"],
  "POST /workspaces/current/attachments": ["filename"],
  "POST /workspaces/current/campaigns/{id}/recipients": ["import_id", "more"],
  "POST /workspaces/current/suppressions/import": ["import_id", "more", "dry_run", "from_line"],
};

/** Lines whose body is a file. */
export const filesAsBody: readonly string[] = [
  "POST /attachments",
  "POST /workspaces/current/attachments",
  "POST /inbound/{provider}/{token}",
  "POST /workspaces/current/suppressions/import",
];

/** Lines whose body may be a list in a file instead of JSON. */
export const listsAsBody: readonly string[] = ["POST /workspaces/current/campaigns/{id}/recipients"];

/** Lists that have pages. */
export const pagedLists: readonly string[] = [
  "GET /emails",
  "GET /workspaces/current/emails",
  "GET /workspaces/current/inbound-endpoints",
  "GET /workspaces/current/inbound-reports",
  "GET /workspaces/current/campaigns",
  "GET /workspaces/current/campaigns/{id}/recipients",
  "GET /workspaces/current/templates",
  "GET /workspaces/current/templates/{templateId}/versions",
  "GET /workspaces/current/domains",
  "GET /workspaces/current/stylesheets",
  "GET /workspaces/current/smtp-servers",
  "GET /workspaces/current/webhooks/{id}/deliveries",
  "GET /workspaces/current/suppressions",
  "GET /workspaces/current/api-keys",
  "GET /users/me/sessions",
  "GET /users/me/audit-log",
  "GET /workspaces",
  "GET /workspaces/current/audit-log",
  "GET /admin/users",
  "GET /admin/users/{userId}/sessions",
  "GET /admin/events",
  "GET /admin/workspaces",
  "GET /admin/plans/{id}/holders",
];

/** Lines that take an API key or a login's token. */
export const takesEither: readonly string[] = ["POST /workspaces/current/inbound"];

/** Lines that take an idempotency key. */
export const repeatable: readonly string[] = [
  "POST /emails/send-template",
  "POST /emails/send",
  "POST /emails/batch",
];
