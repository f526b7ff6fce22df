import { describe } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { describeApiKeys } from "./api-keys.ts";
import { describeAttachments } from "./attachments.ts";
import { describeBatches } from "./batches.ts";
import { describeCampaigns } from "./campaigns.ts";
import { describeContents } from "./contents.ts";
import { describeDedupeKeys } from "./dedupe-keys.ts";
import { describeDomains } from "./domains.ts";
import { describeEmailControl } from "./email-control.ts";
import { describeEmailLists } from "./email-lists.ts";
import { describeEmailQueue } from "./email-queue.ts";
import { describeEmailSettlements } from "./email-settlements.ts";
import { describeEmails } from "./emails.ts";
import { describeEmptying } from "./emptying.ts";
import { describeEvents } from "./events.ts";
import { describeIdempotencyKeys } from "./idempotency-keys.ts";
import { describeInvitations } from "./invitations.ts";
import { describeLogins } from "./logins.ts";
import { describeMembers } from "./members.ts";
import { describeMetrics } from "./metrics.ts";
import { describePlans } from "./plans.ts";
import { describeRecipients } from "./recipients.ts";
import { describeReports } from "./reports.ts";
import { describeRetention } from "./retention.ts";
import { describeSmtpServers } from "./smtp-servers.ts";
import { describeSuppressions } from "./suppressions.ts";
import { describeTemplates } from "./templates.ts";
import { describeTransactions } from "./transactions.ts";
import { describeUsage } from "./usage.ts";
import { describeUsers } from "./users.ts";
import { describeWalks } from "./walks.ts";
import { describeWebhookDeliveries } from "./webhook-deliveries.ts";
import { describeWebhooks } from "./webhooks.ts";
import { describeWorkspaces } from "./workspaces.ts";

export { type TestHost, testHostTransactions } from "./host-transactions.ts";
export { testVerbsInHostTransactions, type WatchedHost } from "./host-verbs.ts";

/**
 * The contract every storage keeps, as vitest tests. `open` answers a migrated, empty storage of its own at each call; the
 * tests close it.
 */
export const testStorage = (name: string, open: () => Promise<Storage>): void => {
  describe(name, () => {
    describeTransactions(open);
    describeUsers(open);
    describeLogins(open);
    describeWorkspaces(open);
    describeEmptying(open);
    describeMembers(open);
    describeInvitations(open);
    describePlans(open);
    describeContents(open);
    describeTemplates(open);
    describeUsage(open);
    describeApiKeys(open);
    describeAttachments(open);
    describeEmails(open);
    describeEmailLists(open);
    describeBatches(open);
    describeEmailQueue(open);
    describeEmailSettlements(open);
    describeEmailControl(open);
    describeCampaigns(open);
    describeMetrics(open);
    describeIdempotencyKeys(open);
    describeSuppressions(open);
    describeReports(open);
    describeDedupeKeys(open);
    describeEvents(open);
    describeWebhooks(open);
    describeWebhookDeliveries(open);
    describeDomains(open);
    describeSmtpServers(open);
    describeRetention(open);
    describeRecipients(open);
    describeWalks(open);
  });
};
