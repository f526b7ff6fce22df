import type { EventOrigin } from "../mail/email-events.ts";
import type { Notifications } from "../mail/notifications.ts";
import { everyScope, type RecipientReport, type Repositories, type Suppression } from "../ports/storage.ts";
import { isErased } from "../recipients/rules/erased-address.ts";
import { beginningOf } from "../rules/beginning-of.ts";
import type { Runtime } from "../service/runtime.ts";
import { parseSuppressed } from "../suppressions/rules/suppression-key.ts";
import { suppress } from "../suppressions/suppress.ts";
import { bounceCategories } from "./rules/bounces/bounce-categories.ts";

/** The recipient that a report concerns. */
export interface ReportedRecipient {
  workspaceId: number | undefined;
  emailId: string;
  address: string;
}

type Report = Pick<RecipientReport, "kind" | "category" | "reply" | "at"> & ReportedRecipient;

const dayMs = 86_400_000;
/**
 * An address is suppressed for `restDays` once its mailbox was full on `fullDays` of the last `countedDays` days
 * (platform.md P7).
 */
const fullDays = 5;
const countedDays = 30;
const restDays = 30;

/** Whether workspaces suppress addresses by reports; each is read once. */
export type Willing = Map<number, boolean>;

/**
 * Suppresses the addresses of bounces and complaints that are sufficient for it, if the workspace's setting
 * `bounce_auto_suppress` is on, in the caller's transaction. Only for reports that are proven. Returns the events and
 * webhook deliveries.
 */
export async function suppressReported(
  runtime: Pick<Runtime, "newId" | "queueClock">,
  storage: Pick<Repositories, "suppressions" | "webhooks" | "settings" | "reports">,
  reports: readonly Report[],
  origin: EventOrigin & { now: number },
): Promise<Notifications> {
  const entries = await findSuppressed(storage, reports);
  if (entries.length === 0) return { events: [], deliveries: [] };
  return (await suppress(runtime, storage, entries, origin)).notifications;
}

/** Returns the suppressions that proven reports lead to, and records the days of those that count by days. */
export async function findSuppressed(
  storage: Pick<Repositories, "settings" | "reports">,
  reports: readonly Report[],
  willing: Willing = new Map(),
): Promise<Suppression[]> {
  const entries: Suppression[] = [];
  // Locks rows in a fixed order, so that transactions can't deadlock.
  for (const report of [...reports].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
    const { workspaceId } = report;
    if (workspaceId === undefined || !mayCount(report)) continue;
    const isWilling =
      willing.get(workspaceId) ?? (await storage.settings.find(workspaceId))?.bounceAutoSuppress === true;
    willing.set(workspaceId, isWilling);
    const judged = isWilling ? await judge(storage, report, workspaceId) : undefined;
    if (judged !== undefined) entries.push(judged);
  }
  return entries;
}

/** Makes a key for an address of a workspace. */
export const keyOf = ({ workspaceId, address }: Pick<Report, "workspaceId" | "address">): string =>
  `${workspaceId} ${address}`;

const policyOf = (category: string) =>
  category in bounceCategories
    ? bounceCategories[category as keyof typeof bounceCategories].suppress
    : "never";

const mayCount = ({ kind, category }: Report): boolean =>
  kind === "complaint" || (kind === "bounce" && policyOf(category) !== "never");

/** Returns the suppression that the report leads to, after recording it. */
async function judge(
  { reports }: Pick<Repositories, "reports">,
  { kind, category, reply, at, emailId, address: given }: Report,
  workspaceId: number,
): Promise<Suppression | undefined> {
  const parsed = parseSuppressed(given);
  if (parsed === undefined || isErased(given)) return undefined;
  const entry: Suppression = {
    workspaceId,
    scope: everyScope,
    ...parsed,
    origin: kind === "complaint" ? "complaint" : "bounce",
    reason: beginningOf(reply, 500),
    emailId,
    createdBy: undefined,
    createdAt: at,
    expiresAt: undefined,
  };
  if (kind === "complaint" || policyOf(category) === "at_once") return entry;
  const since = at - countedDays * dayMs;
  const { days, firstAt } = await reports.noteBounceDay({ workspaceId, address: given, category, at, since });
  if (policyOf(category) === "second") return at - firstAt >= dayMs ? entry : undefined;
  return days >= fullDays ? { ...entry, expiresAt: at + restDays * dayMs } : undefined;
}
