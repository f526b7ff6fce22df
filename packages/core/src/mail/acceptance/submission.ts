import type {
  NewBatch,
  NewContent,
  NewEmail,
  NewEvent,
  NewWebhookDelivery,
  UsageOutcome,
  UsageRequest,
} from "../../ports/storage.ts";
import { dayWindow, hourWindow } from "../../workspaces/rules/quota-windows.ts";
import type { SubmittedFiles } from "../attachments/chosen-files.ts";

/** Ms for which the answer to a request is kept for its repetition (decisions §7). */
export const idempotencyLifetimeMs = 24 * 60 * 60 * 1000;

/**
 * An e-mail to be accepted. A content that is not stored yet is stored with it; otherwise it could be removed before
 * the e-mail exists.
 */
export interface SubmittedEmail extends Omit<NewEmail, "contentId" | "attachmentSetId"> {
  /** Id of a stored content, or a new content. */
  content: number | NewContent;
  /** Files whose contents are stored. */
  files: SubmittedFiles | undefined;
}

/** An e-mail of a submission, with its events and webhook deliveries. */
export interface SubmissionItem {
  email: SubmittedEmail;
  /** Key under which only one e-mail is ever sent. */
  dedupeKey: string | undefined;
  events: NewEvent[];
  deliveries: NewWebhookDelivery[];
}

/** A key under which an answer is kept for repetitions. */
export interface Idempotency {
  apiKeyId: string;
  key: string;
  bodyDigest: string;
  /** Makes the answer for the e-mails as recorded. */
  answerFor(items: readonly SubmissionItem[]): string;
}

/** E-mails that are accepted together or not at all, with everything that their acceptance writes. */
export interface Submission {
  workspaceId: number;
  items: SubmissionItem[];
  /** Maximum recipients per hour and day under the plan, 0 for no limit. */
  limits: { hour: number; day: number };
  /** What happens to e-mails above the limits. */
  whenLimited: "refuse" | "defer";
  /** API key whose last use is to be updated. */
  usedKeyId: string | undefined;
  idempotency: Idempotency | undefined;
  /** Makes the row for a batch. */
  batchOf?: ((outcome: Accepted) => NewBatch) | undefined;
  /** The database's time when a batch was prepared, ms since the epoch. */
  preparedAt?: number | undefined;
  now: number;
}

/** Usage that the recipients of a submission would exceed. */
export type OverLimit = Extract<UsageOutcome, { allowed: false }> & { recipients: number };

/** E-mails as recorded. For those whose dedupe key was used before: the ids of the first e-mails, by their own. */
export interface Accepted {
  kind: "accepted";
  items: SubmissionItem[];
  duplicates: ReadonlyMap<string, string>;
}

export type SubmissionOutcome =
  | Accepted
  /** The request is a repetition: its first answer. */
  | { kind: "replayed"; answer: string }
  /** Another request used the same key. */
  | { kind: "reused" }
  | { kind: "over_limit"; usage: OverLimit }
  /** No room within 30 days or before the deadline. */
  | { kind: "never_opens" };

/** Whether the plan has limits. */
export const isLimited = ({ limits }: Pick<Submission, "limits">): boolean =>
  limits.hour > 0 || limits.day > 0;

/** Number of e-mails written in one step; a storage that works on this thread lets other work run between two. */
export const sliceSize = 256;

/** Whether it is a batch that takes several steps to write, and so seconds. */
export const isLarge = ({ batchOf, items }: Submission): boolean =>
  batchOf !== undefined && items.length > sliceSize;

/** Number of an e-mail's recipients that are charged; suppressed ones are free. */
export function chargedTo({ recipients }: Pick<SubmittedEmail, "recipients">): number {
  let charged = 0;
  for (const { suppressedBy } of recipients) if (suppressedBy === undefined) charged += 1;
  return charged;
}

/** Returns the charge of a submission, for the hour and day of the request. */
export const usageOf = (
  { workspaceId, limits, now }: Pick<Submission, "workspaceId" | "limits" | "now">,
  items: readonly SubmissionItem[],
): UsageRequest => ({
  workspaceId,
  recipients: items.reduce((sum, { email }) => sum + chargedTo(email), 0),
  hour: { start: hourWindow(now).start, limit: limits.hour },
  day: { start: dayWindow(now).start, limit: limits.day },
});

/** The keys that a submission takes, each of which only one can have. */
export function keysOf({ workspaceId, items, idempotency }: Submission): string[] {
  const dedupe = items.flatMap(({ dedupeKey }) =>
    dedupeKey === undefined ? [] : `workspace ${workspaceId} ${dedupeKey}`,
  );
  return idempotency === undefined ? dedupe : [...dedupe, `key ${idempotency.apiKeyId} ${idempotency.key}`];
}
