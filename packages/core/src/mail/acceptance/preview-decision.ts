import type { Repositories } from "../../ports/storage.ts";
import { keyOutcome } from "./decide-submissions.ts";
import { planItems, waitUntil } from "./defer-items.ts";
import {
  idempotencyLifetimeMs,
  isLimited,
  type Submission,
  type SubmissionOutcome,
  usageOf,
} from "./submission.ts";

/**
 * Returns what [`decideSubmissions`](./decide-submissions.ts) would decide now, and the plan's usage. Reserves and
 * writes nothing.
 */
export async function previewDecision(
  storage: Repositories,
  submission: Submission,
): Promise<{ outcome: SubmissionOutcome; used: { hour: number; day: number } }> {
  const { workspaceId, idempotency } = submission;
  const all = usageOf(submission, submission.items);
  const keys = submission.items.flatMap(({ dedupeKey }) => dedupeKey ?? []);
  const [kept, used, taken] = await Promise.all([
    idempotency &&
      storage.idempotencyKeys.find(
        idempotency.apiKeyId,
        idempotency.key,
        submission.now - idempotencyLifetimeMs,
      ),
    storage.usage.find(workspaceId, all.hour.start, all.day.start),
    storage.dedupeKeys.find(workspaceId, keys),
  ]);
  const repeated = kept && idempotency && keyOutcome(idempotency.bodyDigest, kept);
  if (repeated !== undefined) return { outcome: repeated, used };
  const firsts = new Map(taken.map(({ key, emailId }) => [key, emailId]));
  const duplicates = new Map(
    submission.items.flatMap(({ email, dedupeKey }) => {
      if (dedupeKey === undefined) return [];
      const first = firsts.get(dedupeKey);
      // Later items with the same key are duplicates of this one.
      if (first === undefined) firsts.set(dedupeKey, email.id);
      return first === undefined ? [] : [[email.id, first] as const];
    }),
  );
  const items = submission.items.filter(({ email }) => !duplicates.has(email.id));
  const usage = usageOf(submission, items);
  const window = (["day", "hour"] as const).find(
    (one) => usage[one].limit > 0 && used[one] + usage.recipients > usage[one].limit,
  );
  if (items.length === 0 || !isLimited(submission) || window === undefined)
    return { outcome: { kind: "accepted", items, duplicates }, used };
  if (submission.whenLimited === "refuse") {
    const { recipients } = usage;
    const { limit } = usage[window];
    const refused = { allowed: false, window, used: used[window], limit, recipients } as const;
    return { outcome: { kind: "over_limit", usage: refused }, used };
  }
  const hours = await planItems(storage, submission, items);
  if (hours === undefined) return { outcome: { kind: "never_opens" }, used };
  const later = items.map((item, index) => waitUntil(item, hours[index] ?? 0, submission.now));
  return { outcome: { kind: "accepted", items: later, duplicates }, used };
}
