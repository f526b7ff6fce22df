import { accounts } from "./baseline/accounts.ts";
import { attachments } from "./baseline/attachments.ts";
import { campaigns } from "./baseline/campaigns.ts";
import { domains } from "./baseline/domains.ts";
import { emails } from "./baseline/emails.ts";
import { erasures } from "./baseline/erasures.ts";
import { events } from "./baseline/events.ts";
import { imports } from "./baseline/imports.ts";
import { metrics } from "./baseline/metrics.ts";
import { queue } from "./baseline/queue.ts";
import { reports } from "./baseline/reports.ts";
import { smtpServers } from "./baseline/smtp-servers.ts";
import { suppressions } from "./baseline/suppressions.ts";
import { templates } from "./baseline/templates.ts";
import { tracking } from "./baseline/tracking.ts";
import { workspaces } from "./baseline/workspaces.ts";
import type { Migration } from "./migration.ts";

/** All migrations by name, in the order they run. A released migration is never edited. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-baseline": (ddl) =>
    [
      accounts,
      workspaces,
      templates,
      attachments,
      emails,
      reports,
      tracking,
      queue,
      smtpServers,
      events,
      domains,
      suppressions,
      imports,
      campaigns,
      metrics,
      erasures,
    ].flatMap((one) => one(ddl)),
};
