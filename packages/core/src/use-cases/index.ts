import { accounts } from "./accounts/index.ts";
import { apiKeys } from "./api-keys/index.ts";
import { auditLog } from "./audit-log/index.ts";
import { emails } from "./emails/index.ts";
import { events } from "./events/index.ts";
import { invitations } from "./invitations/index.ts";
import { members } from "./members/index.ts";
import { plans } from "./plans/index.ts";
import { queue } from "./queue/index.ts";
import { sessions } from "./sessions/index.ts";
import { settings } from "./settings/index.ts";
import { stylesheets } from "./stylesheets/index.ts";
import { templateVersions } from "./template-versions/index.ts";
import { templates } from "./templates/index.ts";
import { twoFactor } from "./two-factor/index.ts";
import { users } from "./users/index.ts";
import { webhooks } from "./webhooks/index.ts";
import { workspaces } from "./workspaces/index.ts";

/** Everything the service can do, by aggregate and verb. */
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
  emails,
  queue,
} as const;
