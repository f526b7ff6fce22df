/**
 * The public API for hosts. `internal.ts` exports what sister packages need besides, `storage.ts` what storages
 * need.
 */

// The service: its creation, its call options, and its errors.

export type { Call } from "./calls/call.ts";
export type { ApiKeyCaller, Caller, ClientInfo, UserCaller, WorkspaceScope } from "./calls/caller.ts";
export type { Page } from "./calls/paging.ts";
export { type ErrorCode, type FieldFault, fieldError, ServiceError } from "./errors.ts";
export type { DrainOptions } from "./queue/worker.ts";
export type { View } from "./service/bind-verbs.ts";
export type { Counters } from "./service/counters.ts";
export type { Config, PosthornOptions, Registration } from "./service/options.ts";
export type { ReplaceSecretKeyOptions } from "./service/replace-secret-key.ts";
export type { SealedOtherwise, SecretCounts } from "./service/reseal-secrets.ts";
export { IncompleteCopy, SecretKeyMismatch } from "./service/secret-key-check.ts";
export { createPosthorn, type Posthorn } from "./service/service.ts";
export type * from "./verbs/index.ts";

// Logins of the host, and the host's own use cases.

export type { Admitted, HostLogin } from "./calls/admit.ts";
export {
  type Emission,
  type InputOf,
  type OutputOf,
  type ReadContext,
  type UseCase,
  useCase,
  type WriteContext,
} from "./calls/use-case.ts";
export type { Access, Permission, Way } from "./permissions.ts";

// Events, and verification of webhooks for their receivers.

export type { LoggedEvent, ServiceEvent } from "./events/event-view.ts";
export type { FollowOptions } from "./events/follow-events.ts";
export type { Listen } from "./events/listeners.ts";
export type { EventMetadata, EventType } from "./events.ts";
export type { EventCategory } from "./ports/storage.ts";
export { type EmailEventData, emailEventPayload } from "./webhooks/rules/email-event-payload.ts";
export { createWebhookSecret, signatureHeaders, verifyWebhook } from "./webhooks/rules/webhook-signature.ts";

// Replaceable parts (mailer, storage, clock, log, network), and the types for writing one.

export { readAttachment } from "./mail/attachments/attachment-content.ts";
export type * from "./ports/clock.ts";
export type * from "./ports/dns.ts";
export type * from "./ports/http-sender.ts";
export type * from "./ports/logger.ts";
export type * from "./ports/mailer.ts";
export { AttachmentUnreadable } from "./ports/mailer.ts";
export type * from "./ports/server-probe.ts";
export { SchemaMismatch, type Storage, StorageUnavailable, StorageUnsuited } from "./ports/storage.ts";

// Results of verbs.

export type { Confirmation } from "./calls/confirmation.ts";
export type { Rendered } from "./content/composition.ts";
export type { StylesheetView } from "./content/stylesheets/stylesheet-view.ts";
export type { PreviewedVersion } from "./content/template-versions/preview-version.ts";
export type { VersionDetails, VersionView } from "./content/template-versions/version-view.ts";
export type { TemplateDetails, TemplateView } from "./content/templates/template-view.ts";
export type { DomainRecordView, DomainView } from "./domains/domain-view.ts";
export type { DomainProblem } from "./domains/rules/verdict.ts";
export type { EventPosition } from "./events/get-event-position.ts";
export type { RejectedLine, Rejections } from "./files/list-file.ts";
export type { LoggedIn } from "./identity/accounts/login.ts";
export type { RevokedSessions } from "./identity/sessions/revoked-sessions.ts";
export type { SessionView } from "./identity/sessions/session-view.ts";
export type { DisabledTwoFactor } from "./identity/two-factor/disable-two-factor.ts";
export type { TwoFactorSetup } from "./identity/two-factor/set-up-two-factor.ts";
export type { EnabledTwoFactor } from "./identity/two-factor/verify-two-factor.ts";
export type { UserView } from "./identity/users/user-view.ts";
export type { CreatedInboundEndpoint } from "./inbound/endpoints/create-endpoint.ts";
export type { InboundEndpointView } from "./inbound/endpoints/endpoint-view.ts";
export type { ReceivedReports } from "./inbound/receive-report.ts";
export type { InboundReportDetails, InboundReportView } from "./inbound/report-view.ts";
export type { BounceCategory, BounceClass } from "./inbound/rules/bounces/bounce-categories.ts";
export type { OwnBounceRule } from "./inbound/rules/bounces/own-bounce-rules.ts";
export type { GivenAttachment, InlineContent } from "./mail/attachments/attachment-fields.ts";
export type { AttachmentView, EmailAttachmentView } from "./mail/attachments/attachment-view.ts";
export type { SentBatch } from "./mail/batches/batch-answer.ts";
export type { CancelledBatch } from "./mail/batches/cancel-batch.ts";
export type { BatchView } from "./mail/batches/get-batch.ts";
export type { BatchDryRun } from "./mail/batches/try-batch.ts";
export type { CampaignRecipientView, CampaignView } from "./mail/campaigns/campaign-view.ts";
export type { CampaignCheck } from "./mail/campaigns/check-campaign.ts";
export type { AddedRecipients } from "./mail/campaigns/recipients/add-campaign-recipients.ts";
export type { RecipientImport } from "./mail/campaigns/recipients/import-campaign-recipients.ts";
export type { EmailDetails, EmailView } from "./mail/emails/email-view.ts";
export type { FileView } from "./mail/emails/get-email-attachment.ts";
export type { EmailContentView } from "./mail/emails/get-email-content.ts";
export type {
  TimelineEntry,
  TimelineEntryType,
  TimelineHandover,
} from "./mail/emails/timeline/timeline-entry.ts";
export type { MailMetricsView } from "./mail/metrics/get-metrics.ts";
export type { SmtpServerView } from "./mail/smtp-servers/smtp-server-view.ts";
export type { DraftWarning } from "./mail/submission/email-draft.ts";
export type { SentEmail } from "./mail/submission/submit-email.ts";
export type { DryRun } from "./mail/submission/try-email.ts";
export type { EmailStatus, Plan, PlanHolder, Role, Settings } from "./ports/storage.ts";
export type { RestoredQueue } from "./queue/operating/check-restored.ts";
export type { QueueView, RouteView, WebhookQueueView } from "./queue/operating/get-queue-status.ts";
export type { PausedQueue } from "./queue/operating/pause-queue.ts";
export type { ResumedQueue } from "./queue/operating/resume-queue.ts";
export type { RestoredCopy } from "./queue/restored-copy.ts";
export type { EndedRows } from "./queue/retention/preview-removal.ts";
export type { RetentionRun } from "./queue/retention/run-retention.ts";
export type { ErasureView } from "./recipients/erase-recipient.ts";
export type { SuppressionCheck } from "./suppressions/check-suppressions.ts";
export type { CreatedSuppression } from "./suppressions/create-suppression.ts";
export type { SuppressionImport } from "./suppressions/import/import-suppressions.ts";
export type { SuppressedAddress } from "./suppressions/rules/suppression-key.ts";
export type { SuppressionView } from "./suppressions/suppression-view.ts";
export type { UnsubscriptionView } from "./suppressions/unsubscriptions/unsubscription-view.ts";
export type { Visit } from "./tracking/hits/judge-visit.ts";
export type { WebhookBacklogView } from "./webhooks/delivery/view-backlog.ts";
export type { DeliveryView } from "./webhooks/delivery-view.ts";
export type { WebhookView, WebhookWithSecret } from "./webhooks/webhook-view.ts";
export type { ApiKeyView } from "./workspaces/api-keys/api-key-view.ts";
export type { CreatedApiKey } from "./workspaces/api-keys/create-api-key.ts";
export type { Joined } from "./workspaces/invitations/accept-invitation.ts";
export type { InvitationView } from "./workspaces/invitations/invitation-view.ts";
export type { MemberView } from "./workspaces/members/member-view.ts";
export type { AssignedUserPlan, AssignedWorkspacePlan } from "./workspaces/plans/assign-plan.ts";
export type { EffectivePlan } from "./workspaces/plans/effective-plan.ts";
export type { UserPlan, WorkspacePlan } from "./workspaces/plans/get-assigned-plan.ts";
export type { AdministeredWorkspace, WorkspaceView } from "./workspaces/workspace-view.ts";
