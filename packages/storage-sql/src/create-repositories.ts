import type { Repositories } from "@posthorn/core/storage";
import type { Engine, Handle } from "./engine.ts";
import { createContentsRepository } from "./repositories/content/contents.ts";
import { createStylesheetsRepository } from "./repositories/content/stylesheets.ts";
import { createTemplatesRepository } from "./repositories/content/templates.ts";
import { createDomainsRepository } from "./repositories/domains/domains.ts";
import { createEventsRepository } from "./repositories/events/events.ts";
import { createEmailTokensRepository } from "./repositories/identity/email-tokens.ts";
import { createGuardsRepository } from "./repositories/identity/guards.ts";
import { createSessionsRepository } from "./repositories/identity/sessions.ts";
import { createUsersRepository } from "./repositories/identity/users.ts";
import { createAttachmentsRepository } from "./repositories/mail/attachments.ts";
import { createBatchesRepository } from "./repositories/mail/batches.ts";
import { createCampaignsRepository } from "./repositories/mail/campaigns.ts";
import { createDedupeKeysRepository } from "./repositories/mail/dedupe-keys.ts";
import { createEmailsRepository } from "./repositories/mail/emails.ts";
import { createIdempotencyKeysRepository } from "./repositories/mail/idempotency-keys.ts";
import { createImportsRepository } from "./repositories/mail/imports.ts";
import { createInboundEndpointsRepository } from "./repositories/mail/inbound-endpoints.ts";
import { createMetricsRepository } from "./repositories/mail/metrics.ts";
import { createReportsRepository } from "./repositories/mail/reports.ts";
import { createSmtpServersRepository } from "./repositories/mail/smtp-servers.ts";
import { createSuppressionsRepository } from "./repositories/mail/suppressions.ts";
import { createEmailQueueRepository } from "./repositories/queue/email-queue.ts";
import { createOperationsRepository } from "./repositories/queue/operations.ts";
import { createRetentionRepository } from "./repositories/queue/retention.ts";
import { createErasuresRepository } from "./repositories/recipients/erasures.ts";
import { createRecipientsRepository } from "./repositories/recipients/recipients.ts";
import { createTrackingRepository } from "./repositories/tracking/tracking.ts";
import { createWebhookDeliveriesRepository } from "./repositories/webhooks/webhook-deliveries.ts";
import { createWebhooksRepository } from "./repositories/webhooks/webhooks.ts";
import { createApiKeysRepository } from "./repositories/workspaces/api-keys.ts";
import { createInvitationsRepository } from "./repositories/workspaces/invitations.ts";
import { createMembersRepository } from "./repositories/workspaces/members.ts";
import { createPlansRepository } from "./repositories/workspaces/plans.ts";
import { createSettingsRepository } from "./repositories/workspaces/settings.ts";
import { createUsageRepository } from "./repositories/workspaces/usage.ts";
import { createWorkspacesRepository } from "./repositories/workspaces/workspaces.ts";

const factories: { [K in keyof Repositories]: (db: Handle, engine: Engine) => Repositories[K] } = {
  users: createUsersRepository,
  sessions: createSessionsRepository,
  emailTokens: createEmailTokensRepository,
  guards: createGuardsRepository,
  workspaces: createWorkspacesRepository,
  settings: createSettingsRepository,
  members: createMembersRepository,
  invitations: createInvitationsRepository,
  plans: createPlansRepository,
  usage: createUsageRepository,
  contents: createContentsRepository,
  templates: createTemplatesRepository,
  stylesheets: createStylesheetsRepository,
  apiKeys: createApiKeysRepository,
  attachments: createAttachmentsRepository,
  emails: createEmailsRepository,
  batches: createBatchesRepository,
  emailQueue: createEmailQueueRepository,
  campaigns: createCampaignsRepository,
  metrics: createMetricsRepository,
  idempotencyKeys: createIdempotencyKeysRepository,
  suppressions: createSuppressionsRepository,
  imports: createImportsRepository,
  reports: createReportsRepository,
  tracking: createTrackingRepository,
  dedupeKeys: createDedupeKeysRepository,
  inboundEndpoints: createInboundEndpointsRepository,
  events: createEventsRepository,
  webhooks: createWebhooksRepository,
  webhookDeliveries: createWebhookDeliveriesRepository,
  domains: createDomainsRepository,
  operations: createOperationsRepository,
  smtpServers: createSmtpServersRepository,
  retention: createRetentionRepository,
  recipients: createRecipientsRepository,
  erasures: createErasuresRepository,
};

interface Made {
  db: Handle;
  engine: Engine;
  repositories: Partial<Record<keyof Repositories, unknown>>;
}

const made = Symbol("what repositories were made for");

/** Getters that all repositories of transactions share: to define them for each transaction would cost more than some of its statements. */
const getters = Object.defineProperties(
  {},
  Object.fromEntries(
    (Object.keys(factories) as (keyof Repositories)[]).map((name) => [
      name,
      {
        get(this: { [made]: Made }) {
          const { db, engine, repositories } = this[made];
          repositories[name] ??= factories[name](db, engine);
          return repositories[name];
        },
      },
    ]),
  ),
);

/** All repositories on one handle, each created on first use: a transaction seldom needs more than a few. */
export const createRepositories = (db: Handle, engine: Engine): Repositories => {
  const repositories = Object.create(getters);
  repositories[made] = { db, engine, repositories: {} } satisfies Made;
  return repositories as Repositories;
};

/** Creates all repositories on one handle at once, as own properties. */
export const createAllRepositories = (db: Handle, engine: Engine): Repositories =>
  Object.fromEntries(
    Object.entries(factories).map(([name, create]) => [name, create(db, engine)]),
  ) as unknown as Repositories;
