import type { Batch } from "../../ports/storage/batches.ts";
import type { NewEmail } from "../../ports/storage/emails.ts";
import type { NewEvent } from "../../ports/storage/events.ts";
import type { UsageOutcome, UsageRequest } from "../../ports/storage/plans.ts";
import type { NewContent } from "../../ports/storage/templates.ts";
import type { NewWebhookDelivery } from "../../ports/storage/webhooks.ts";
import { dayWindow, hourWindow } from "../../workspaces/rules/quota-windows.ts";
import type { SubmittedFiles } from "../attachments/chosen-files.ts";

/** How long an answer is kept for a request that comes again, ms (decisions §7). */
export const idempotencyKeptFor = 24 * 60 * 60 * 1000;

/** An e-mail to be accepted. A content that is not kept yet is stored with it: else it could be cleaned up before the e-mail is there. */
export interface SubmittedEmail extends Omit<NewEmail, "contentId" | "attachmentSetId"> {
  /** The id of a kept content, or a new one. */
  content: number | NewContent;
  /** Files, whose contents are kept. */
  files: SubmittedFiles | undefined;
}

/** An e-mail of a submission, with what its acceptance tells. */
export interface SubmissionItem {
  email: SubmittedEmail;
  /** Under which it is sent once, ever. */
  dedupeKey: string | undefined;
  events: NewEvent[];
  deliveries: NewWebhookDelivery[];
}

/** A key under which the answer is kept for a while. */
export interface Idempotency {
  apiKeyId: string;
  key: string;
  bodyDigest: string;
  /** The answer that tells of the e-mails as they are recorded. */
  answerFor(items: readonly SubmissionItem[]): string;
}

/** E-mails to be accepted together or not at all, with all that their acceptance writes. */
export interface Submission {
  workspaceId: number;
  items: SubmissionItem[];
  /** Recipients that the plan allows, 0 for any number. */
  limits: { hour: number; day: number };
  /** What becomes of what the limits have no room for. */
  whenLimited: "refuse" | "defer";
  /** The key that asked, if its last use is to be noted. */
  usedKeyId: string | undefined;
  idempotency: Idempotency | undefined;
  /** What is recorded of them as a whole, where they were asked for as one. */
  batchOf?: ((outcome: Accepted) => Batch) | undefined;
  now: number;
}

/** The usage that a limit refused. */
export type OverLimit = Extract<UsageOutcome, { allowed: false }>;

/** E-mails as they were recorded, and in place of those whose dedupe key was taken, the ids of the first ones, by their own. */
export interface Accepted {
  kind: "accepted";
  items: SubmissionItem[];
  duplicates: ReadonlyMap<string, string>;
}

export type SubmissionOutcome =
  | Accepted
  /** The same request came before: its answer. */
  | { kind: "replayed"; answer: string }
  /** Another request came with the same key. */
  | { kind: "reused" }
  | { kind: "over_limit"; usage: OverLimit }
  /** It was to wait for room that there won't be. */
  | { kind: "never_opens" };

/** Whether the plan has limits. */
export const isLimited = ({ limits }: Pick<Submission, "limits">): boolean =>
  limits.hour > 0 || limits.day > 0;

/** The recipients that an e-mail is charged for: whoever is left out costs nothing. */
export function chargedTo({ recipients }: Pick<SubmittedEmail, "recipients">): number {
  let charged = 0;
  for (const { suppressedBy } of recipients) if (suppressedBy === undefined) charged += 1;
  return charged;
}

/** What a submission is charged, to the hour and day that it comes in. */
export const usageOf = (
  { workspaceId, limits, now }: Pick<Submission, "workspaceId" | "limits" | "now">,
  items: readonly SubmissionItem[],
): UsageRequest => ({
  workspaceId,
  recipients: items.reduce((sum, { email }) => sum + chargedTo(email), 0),
  hour: { start: hourWindow(now).start, limit: limits.hour },
  day: { start: dayWindow(now).start, limit: limits.day },
});
