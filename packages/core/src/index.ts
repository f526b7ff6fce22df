export type { View } from "./bind-verbs.ts";
export type { ApiKeyCaller, Caller, Client, UserCaller, WorkspaceScope } from "./caller.ts";
export {
  type BounceClass,
  bounceClass,
  type EmailEventData,
  emailEventPayload,
} from "./domain/email-event-payload.ts";
export { JsonError, parseJson } from "./domain/json.ts";
export { createWebhookSecret, signatureHeaders, verifyWebhook } from "./domain/webhook-signature.ts";
export { type ErrorCode, errorMessages, type FieldFault, fieldError, ServiceError } from "./errors.ts";
export { type EventMetadata, type EventType, webhookEventTypes } from "./events.ts";
export type { Call } from "./execute.ts";
export type { FollowOptions } from "./follow-events.ts";
export type { Listen, ServiceEvent } from "./listeners.ts";
export type { Config, PosthornOptions, Registration } from "./options.ts";
export { type Access, type Permission, permissions } from "./permissions.ts";
export type * from "./ports/clock.ts";
export { systemClock } from "./ports/clock.ts";
export type * from "./ports/http-sender.ts";
export type * from "./ports/logger.ts";
export { silentLogger } from "./ports/logger.ts";
export type * from "./ports/mailer.ts";
export type * from "./ports/storage.ts";
export { everyRoute, SchemaMismatch, StorageUnavailable, UniqueViolation } from "./ports/storage.ts";
export { SecretKeyMismatch } from "./secret-key-check.ts";
export type { Rendered } from "./sending/compositions.ts";
export { createPosthorn, type Posthorn } from "./service.ts";
export type { InputOf, OutputOf } from "./use-case.ts";
export type { LoggedIn } from "./use-cases/accounts/login.ts";
export type { ApiKeyView } from "./use-cases/api-keys/api-key-view.ts";
export type { EmailDetails, EmailView } from "./use-cases/emails/email-view.ts";
export { useCases } from "./use-cases/index.ts";
export type { Joined } from "./use-cases/invitations/accept-invitation.ts";
export type { InvitationView } from "./use-cases/invitations/invitation-view.ts";
export type { MemberView } from "./use-cases/members/member-view.ts";
export type { Page } from "./use-cases/paging.ts";
export type { EffectivePlan } from "./use-cases/plans/effective-plan.ts";
export type { QueueView, RouteView } from "./use-cases/queue/get-queue-status.ts";
export type { SessionView } from "./use-cases/sessions/session-view.ts";
export type { StylesheetView } from "./use-cases/stylesheets/stylesheet-view.ts";
export type { VersionDetails, VersionView } from "./use-cases/template-versions/version-view.ts";
export type { TemplateDetails, TemplateView } from "./use-cases/templates/template-view.ts";
export type { UserView } from "./use-cases/users/user-view.ts";
export type { DeliveryView } from "./use-cases/webhooks/delivery-view.ts";
export type { WebhookView } from "./use-cases/webhooks/webhook-view.ts";
export type { AdministeredWorkspace, WorkspaceView } from "./use-cases/workspaces/workspace-view.ts";
export type * from "./verbs/index.ts";
export { version } from "./version.ts";
export type { DrainOptions } from "./workers/worker.ts";
