import type { AccountTables } from "./tables/accounts.ts";
import type { AttachmentTables } from "./tables/attachments.ts";
import type { CampaignTables } from "./tables/campaigns.ts";
import type { DomainTables } from "./tables/domains.ts";
import type { EmailTables } from "./tables/emails.ts";
import type { ErasureTables } from "./tables/erasures.ts";
import type { EventTables } from "./tables/events.ts";
import type { MetricTables } from "./tables/metrics.ts";
import type { QueueTables } from "./tables/queue.ts";
import type { ReportTables } from "./tables/reports.ts";
import type { SmtpServerTables } from "./tables/smtp-servers.ts";
import type { SuppressionTables } from "./tables/suppressions.ts";
import type { TemplateTables } from "./tables/templates.ts";

export type * from "./tables/accounts.ts";
export type * from "./tables/attachments.ts";
export type * from "./tables/campaigns.ts";
export type * from "./tables/domains.ts";
export type * from "./tables/emails.ts";
export type * from "./tables/erasures.ts";
export type * from "./tables/events.ts";
export type * from "./tables/metrics.ts";
export type * from "./tables/queue.ts";
export type * from "./tables/reports.ts";
export type * from "./tables/smtp-servers.ts";
export type * from "./tables/suppressions.ts";
export type * from "./tables/templates.ts";

/** Every table, as Kysely sees it. Times are ms since the epoch, JSON is text, absence is `null`. */
export interface Database
  extends AccountTables,
    TemplateTables,
    AttachmentTables,
    EmailTables,
    CampaignTables,
    ErasureTables,
    MetricTables,
    EventTables,
    QueueTables,
    ReportTables,
    SmtpServerTables,
    SuppressionTables,
    DomainTables {}
