import { confirmCaller } from "../../calls/confirm-caller.ts";
import { orNotFound } from "../../calls/or-not-found.ts";
import type { ReadContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { Mailbox } from "../../ports/mailer.ts";
import { StorageUnavailable, Unconfirmed } from "../../ports/storage.ts";
import { dayWindow, hourWindow } from "../../workspaces/rules/quota-windows.ts";
import { previewDecision } from "../acceptance/preview-decision.ts";
import type { OverLimit, Submission, SubmissionOutcome } from "../acceptance/submission.ts";
import { storeFiles } from "../attachments/store-files.ts";
import { type EmailView, viewStored } from "../emails/email-view.ts";
import { createSubmission, type SubmissionCall, viewItem } from "./create-submission.ts";
import type { EmailDraft, SubmittingContext } from "./email-draft.ts";

/** An e-mail as the answer to a send. */
export interface SentEmail extends EmailView {
  /** Whether it is an earlier e-mail with the same `dedupeKey`, and nothing was sent. */
  deduplicated: boolean;
  /** Whether it is the first answer to an earlier call with the same `idempotencyKey`, and nothing was sent. */
  replayed: boolean;
}

/**
 * Submits a checked draft; returns its view, or the first answer if the request is a repetition. Throws its refusal.
 */
export async function submitEmail(
  context: SubmittingContext,
  draft: EmailDraft,
  call: SubmissionCall,
): Promise<SentEmail> {
  const confirmed = confirmCaller(context);
  if (confirmed !== undefined) await confirmed;
  const [reason] = draft.reasons;
  if (reason !== undefined) throw reason;
  if (draft.from === undefined) throw new ServiceError("sender_missing");
  const hasFiles = draft.files.files.length > 0;
  const previewed = hasFiles ? await keepDraftFiles(context, draft, draft.from, call) : undefined;
  const outcome = previewed ?? (await submit(context, createSubmission(context, draft, draft.from, call)));
  if (outcome.kind === "replayed") return readAnswer(outcome.answer);
  if (outcome.kind !== "accepted") throw refusalOf(outcome, context.now);
  const [item] = outcome.items;
  if (item !== undefined) return Object.assign(viewItem(item), { deduplicated: false, replayed: false });
  const [first] = outcome.duplicates.values();
  if (first === undefined) throw new TypeError("a submission was accepted without an e-mail");
  return findFirst(context, first);
}

/** Parses the answer kept for repetitions. */
export const readAnswer = (answer: string): SentEmail => ({
  ...(JSON.parse(answer) as EmailView),
  deduplicated: false,
  replayed: true,
});

/** Makes the error for a dedupe key whose e-mail the log no longer has. */
export const spentKey = (emailId: string): ServiceError =>
  new ServiceError("dedupe_key_spent", { details: { email_id: emailId } });

/** Returns the current view of the e-mail that was sent under a dedupe key. */
export async function findFirst(
  { storage, workspace, now }: Pick<SubmittingContext, "storage" | "workspace" | "now">,
  emailId: string,
): Promise<SentEmail> {
  const email = await storage.emails.find(workspace.id, emailId, now);
  if (email === undefined) throw spentKey(emailId);
  return { ...(await viewStored(storage, email)), deduplicated: true, replayed: false };
}

/**
 * Stores files contained in the request, so that the submission can refer to them. Skipped if the outcome is already
 * known to be a refusal or an earlier answer. The storage quota is checked again, exactly, when it is charged.
 */
async function keepDraftFiles(
  context: SubmittingContext,
  draft: EmailDraft,
  from: Mailbox,
  call: SubmissionCall,
): Promise<SubmissionOutcome | undefined> {
  if (draft.files.holdsInline) {
    const { outcome } = await previewDecision(context.storage, createSubmission(context, draft, from, call));
    if (outcome.kind !== "accepted" || outcome.items.length === 0) return outcome;
  }
  draft.keptFiles = await storeFiles(context, draft.files, {
    isSensitive: draft.fields.sensitive,
    workspaceId: context.workspace.id,
  });
  return undefined;
}

/**
 * Submits a submission; returns its outcome. Rejects with `Unconfirmed` if what was looked up for it is gone: the request
 * is to begin again (`beginAgain`).
 */
export const submit = (
  context: Pick<SubmittingContext, "acceptance" | "storage">,
  submission: Submission,
): Promise<SubmissionOutcome> =>
  context.acceptance
    .accept(submission)
    .catch((error: unknown) => explainFailure(context.storage, submission, error));

/**
 * Throws the actual fault if something was removed after it was looked up: `not_found` for the workspace, `Unconfirmed`
 * for a content or stylesheets that the template no longer has, and that were removed as unused.
 */
async function explainFailure(
  storage: ReadContext["storage"],
  { workspaceId, items }: Submission,
  error: unknown,
): Promise<never> {
  if (error instanceof Unconfirmed || error instanceof StorageUnavailable) throw error;
  orNotFound(await storage.workspaces.find(workspaceId).catch(() => true), "such workspace");
  const contents = new Set(items.map(({ email }) => email.content));
  const sets = new Set(items.map(({ email }) => email.stylesheetSetId));
  const found: unknown[] = await Promise.all([
    ...[...contents].map((id) => (typeof id === "number" ? storage.contents.find(id) : true)),
    ...[...sets].map((id) => (id === undefined ? true : storage.contents.findStylesheetSet(id))),
  ]).catch(() => []);
  if (found.includes(undefined)) throw new Unconfirmed("a content was removed", { cause: error });
  throw error;
}

/** Does the work, and once again if what it had looked up is another by now: nothing is written then. */
export const beginAgain = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    if (error instanceof Unconfirmed) return work();
    throw error;
  });

/** Makes the error for a refused submission. */
export function refusalOf(
  outcome: Exclude<SubmissionOutcome, { kind: "accepted" | "replayed" }>,
  now: number,
): ServiceError {
  if (outcome.kind === "reused") return new ServiceError("idempotency_key_reused");
  if (outcome.kind === "never_opens") return new ServiceError("limit_never_opens");
  return overLimit(outcome.usage, now);
}

function overLimit({ window, used, limit, recipients }: OverLimit, now: number): ServiceError {
  const { resetsAt } = (window === "hour" ? hourWindow : dayWindow)(now);
  const name = window === "hour" ? "hourly_rate_limit" : "daily_rate_limit";
  const isTooMany = recipients > limit;
  const limited = limit === 1 ? "1 recipient" : `${limit} recipients`;
  const plan = `The plan's ${window === "hour" ? "hourly" : "daily"} limit of ${limited}`;
  const left = Math.max(0, limit - used);
  const reached = left === 0 ? "is reached" : `has room for ${left} more, and this request has ${recipients}`;
  return new ServiceError("rate_limited", {
    // Whoever waited for the next window would be refused in it, too.
    message: isTooMany
      ? `${plan} is less than the ${recipients} of this request: no ${window} has room for it. Send to fewer at a time.`
      : `${plan} ${reached}.`,
    retryAfter: Math.max(1, Math.ceil((resetsAt - now) / 1000)),
    details: {
      limit: name,
      value: limit,
      used,
      resets_at: new Date(resetsAt).toISOString(),
      ...(isTooMany && { recipients }),
    },
    rateLimit: {
      name,
      limit,
      remaining: left,
      windowSeconds: window === "hour" ? 3600 : 86_400,
    },
  });
}
