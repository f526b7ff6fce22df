import type { AttemptResult } from "../../ports/storage/email-queue.ts";
import type { MetricChange } from "../../ports/storage/metrics.ts";
import { domainOf } from "../../rules/addresses.ts";
import type { OrderedEmail } from "../submission/order.ts";

/** What accepting e-mails counts: their recipients, by whether anything goes to them. The service's own mails are not counted. */
export const acceptanceChanges = (emails: readonly OrderedEmail[]): MetricChange[] =>
  emails.flatMap(({ workspaceId, createdAt: at, recipients }) =>
    workspaceId === undefined
      ? []
      : recipients.map(({ address, suppressedBy }) => ({
          workspaceId,
          at,
          domain: domainOf(address),
          metric: suppressedBy === undefined ? ("accepted" as const) : ("suppressed" as const),
          by: 1,
        })),
  );

/** What an attempt counts: each recipient it tried, by what became of it. A mail that nobody refused but could not be made counts for nothing. */
export function attemptChanges(
  { workspaceId, recipients, attempt }: AttemptResult,
  now: number,
): MetricChange[] {
  if (workspaceId === undefined) return [];
  const at = attempt?.endedAt ?? now;
  return recipients.flatMap(({ address, state, lastCode, suppressedBy }) => {
    const metric = metricOf({ state, lastCode, suppressedBy });
    return metric === undefined ? [] : { workspaceId, at, domain: domainOf(address), metric, by: 1 };
  });
}

function metricOf({
  state,
  lastCode,
  suppressedBy,
}: Pick<AttemptResult["recipients"][number], "state" | "lastCode" | "suppressedBy">):
  | MetricChange["metric"]
  | undefined {
  if (suppressedBy !== undefined) return "suppressed";
  if (state === "accepted") return "delivered";
  if (state === "deferred") return "deferred";
  return state === "failed" && lastCode !== undefined ? "bounced" : undefined;
}
