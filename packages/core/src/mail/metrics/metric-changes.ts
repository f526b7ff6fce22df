import type { AttemptResult, EmailRecipient, MetricChange } from "../../ports/storage.ts";
import { domainOf } from "../../rules/addresses.ts";
import type { SubmittedEmail } from "../acceptance/submission.ts";

/**
 * Returns the counts for accepted e-mails: recipients, separately if suppressed. The service's own mails are not
 * counted.
 */
export function acceptanceChanges(emails: readonly SubmittedEmail[]): MetricChange[] {
  const changes: MetricChange[] = [];
  // E-mails of one request are adjacent, so equal counts are merged into one change.
  let sums = new Map<string, MetricChange>();
  let last: Pick<SubmittedEmail, "workspaceId" | "createdAt"> | undefined;
  for (const email of emails) {
    const { workspaceId, createdAt: at } = email;
    if (workspaceId === undefined) continue;
    if (last?.workspaceId !== workspaceId || last.createdAt !== at) sums = new Map();
    last = email;
    for (const { address, suppressedBy } of email.recipients) {
      const domain = domainOf(address);
      const metric = suppressedBy === undefined ? "accepted" : "suppressed";
      const name = suppressedBy === undefined ? domain : `${domain} suppressed`;
      const sum = sums.get(name);
      if (sum !== undefined) sum.by += 1;
      else {
        const change = { workspaceId, at, domain, metric, by: 1 } satisfies MetricChange;
        sums.set(name, change);
        changes.push(change);
      }
    }
  }
  return changes;
}

/**
 * Returns the counts for an attempt: each recipient by outcome. A mail that could not be composed counts for nothing.
 */
export function attemptChanges(
  { workspaceId, recipients, attempt }: AttemptResult,
  now: number,
): MetricChange[] {
  if (workspaceId === undefined) return [];
  const at = attempt?.endedAt ?? now;
  return recipients.flatMap(({ address, state, code, suppressedBy }) => {
    const metric = metricOf({ state, code, suppressedBy });
    return metric === undefined ? [] : { workspaceId, at, domain: domainOf(address), metric, by: 1 };
  });
}

/** Returns what was counted of recipients who bounced and are tried again. */
export const bouncesTakenBack = (
  workspaceId: number,
  recipients: readonly Pick<EmailRecipient, "address" | "state" | "code" | "settledAt">[],
): MetricChange[] =>
  recipients.flatMap(({ address, state, code, settledAt: at }) =>
    at === undefined || metricOf({ state, code }) !== "bounced"
      ? []
      : { workspaceId, at, domain: domainOf(address), metric: "bounced", by: 1 },
  );

function metricOf({
  state,
  code,
  suppressedBy,
}: Pick<AttemptResult["recipients"][number], "state" | "code" | "suppressedBy">):
  | MetricChange["metric"]
  | undefined {
  if (suppressedBy !== undefined) return "suppressed";
  if (state === "accepted") return "delivered";
  if (state === "deferred") return "deferred";
  return state === "failed" && code !== undefined ? "bounced" : undefined;
}
