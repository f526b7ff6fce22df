import { readStoredObject } from "../../../ports/storage.ts";
import { priorities } from "../email-view.ts";
import type { TimelineSources } from "./read-sources.ts";
import type { NewEntry } from "./timeline-entry.ts";

/** Returns the entries about acceptance: the sender, the checks, a postponement, and suppressed recipients. */
export function acceptanceEntries(sources: TimelineSources): NewEntry[] {
  const { email, history } = sources;
  const { origin } = history;
  const scheduledAt = scheduledAtFirst(sources);
  const at = email.createdAt;
  const entries: NewEntry[] = [
    { at, type: "accepted", message: acceptedWords(sources), details: acceptedDetails(sources, scheduledAt) },
  ];
  if (origin.deferredFrom !== undefined)
    entries.push({
      at,
      type: "deferred",
      message: "Postponed to the first hour with room under the plan's limits.",
      details: { from: iso(origin.deferredFrom), until: scheduledAt ?? null },
    });
  return entries;
}

/** Returns the time for which the e-mail was scheduled at acceptance, whatever it was rescheduled to since. */
function scheduledAtFirst({ email, events }: TimelineSources): string | undefined {
  const moved = events.find(({ type }) => type === "email.rescheduled");
  if (moved === undefined) return email.scheduledAt === undefined ? undefined : iso(email.scheduledAt);
  const { from } = readStoredObject(moved.metadata);
  // That of an e-mail for now is the time of its acceptance.
  return typeof from !== "string" || from === iso(email.createdAt) ? undefined : from;
}

function acceptedWords({ email, recipients, history, sender }: TimelineSources): string {
  const count = `${recipients.length} recipient${recipients.length === 1 ? "" : "s"}`;
  const version = history.versionNumber === undefined ? "" : `, version ${history.versionNumber}`;
  const made = email.template === undefined ? "" : `, made from template ${email.template}${version}`;
  return `Accepted ${bySender(email, history, sender)} for ${count}${made}.`;
}

function bySender(
  { workspaceId, campaignId }: TimelineSources["email"],
  { apiKeyId, origin }: TimelineSources["history"],
  sender: string | undefined,
): string {
  if (workspaceId === undefined) return "as one of the service's own e-mails";
  if (campaignId !== undefined) return `for campaign ${campaignId}`;
  if (apiKeyId !== undefined) return `from API key ${sender ?? apiKeyId}`;
  if (origin.userId !== undefined) return `from ${sender ?? `user ${origin.userId}`}`;
  return "from the host or an operator";
}

function acceptedDetails(
  { email, recipients, history }: TimelineSources,
  scheduledAt: string | undefined,
): Record<string, unknown> {
  const { origin, apiKeyId, versionNumber } = history;
  const suppressed = recipients.filter(
    ({ state, settledAt }) => state === "suppressed" && settledAt === email.createdAt,
  );
  return withoutUndefined({
    request_id: origin.requestId,
    api_key_id: apiKeyId,
    user_id: origin.userId,
    campaign_id: email.campaignId,
    idempotency_key: origin.idempotencyKey,
    dedupe_key: origin.dedupeKey,
    template_version_id: email.templateVersionId,
    template_version_number: versionNumber,
    priority: priorities[email.lane],
    sensitive: email.isSensitive || undefined,
    deliver_before: email.deliverBefore === undefined ? undefined : iso(email.deliverBefore),
    scheduled_at: scheduledAt,
    checks: {
      suppressed: suppressed.length,
      sender_domain: origin.requiresDomain === true ? "verified" : "not_required",
      limits: origin.limits ?? null,
    },
  });
}

/** Returns the fields whose value is known. */
export const withoutUndefined = (details: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));

export const iso = (ms: number): string => new Date(ms).toISOString();

export const isoOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : iso(ms));
