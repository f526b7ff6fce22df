import type { Repositories } from "@posthorn/core/storage";
import type { Engine, Handle } from "./engine.ts";
import { createApiKeysRepository } from "./repositories/api-keys.ts";
import { createContentsRepository } from "./repositories/contents.ts";
import { createEmailQueueRepository } from "./repositories/email-queue.ts";
import { createEmailTokensRepository } from "./repositories/email-tokens.ts";
import { createEmailsRepository } from "./repositories/emails.ts";
import { createEventsRepository } from "./repositories/events.ts";
import { createGuardsRepository } from "./repositories/guards.ts";
import { createIdempotencyKeysRepository } from "./repositories/idempotency-keys.ts";
import { createInvitationsRepository } from "./repositories/invitations.ts";
import { createMembersRepository } from "./repositories/members.ts";
import { createOperationsRepository } from "./repositories/operations.ts";
import { createPlansRepository } from "./repositories/plans.ts";
import { createSessionsRepository } from "./repositories/sessions.ts";
import { createSettingsRepository } from "./repositories/settings.ts";
import { createStylesheetsRepository } from "./repositories/stylesheets.ts";
import { createTemplatesRepository } from "./repositories/templates.ts";
import { createUsageRepository } from "./repositories/usage.ts";
import { createUsersRepository } from "./repositories/users.ts";
import { createWebhookDeliveriesRepository } from "./repositories/webhook-deliveries.ts";
import { createWebhooksRepository } from "./repositories/webhooks.ts";
import { createWorkspacesRepository } from "./repositories/workspaces.ts";

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
  emails: createEmailsRepository,
  emailQueue: createEmailQueueRepository,
  idempotencyKeys: createIdempotencyKeysRepository,
  events: createEventsRepository,
  webhooks: createWebhooksRepository,
  webhookDeliveries: createWebhookDeliveriesRepository,
  operations: createOperationsRepository,
};

/** Every repository on one handle, each made when it is first asked for: a transaction seldom needs more than a few. */
export const createRepositories = (db: Handle, engine: Engine): Repositories => {
  const made: Partial<Record<keyof Repositories, unknown>> = {};
  const repositories = {};
  for (const name of Object.keys(factories) as (keyof Repositories)[]) {
    Object.defineProperty(repositories, name, {
      enumerable: true,
      configurable: true,
      get: () => (made[name] ??= factories[name](db, engine)),
    });
  }
  return repositories as Repositories;
};
