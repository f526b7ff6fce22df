import type { ReadContext } from "../../calls/use-case.ts";
import type { ServiceError } from "../../errors.ts";
import type { Mailbox } from "../../ports/mailer.ts";
import { previewDecision } from "../acceptance/preview-decision.ts";
import type { SubmissionOutcome } from "../acceptance/submission.ts";
import { createSubmission, noContent, type SubmissionCall } from "./create-submission.ts";
import type { DraftWarning, EmailDraft } from "./email-draft.ts";
import {
  type DomainPreview,
  dmarcWarnings,
  previewDomain,
  previewServer,
  type ServerPreview,
} from "./preview-delivery.ts";
import { renderWhole } from "./render-whole.ts";
import { refusalOf, spentKey } from "./submit-email.ts";

/** Result of a dry run of a send. */
export interface DryRun {
  /** Whether the send would be accepted. */
  wouldSend: boolean;
  /** All reasons against it, each with the code of the refusal. */
  reasons: ServiceError[];
  /** Its recipients, and which of them are suppressed. */
  recipients: { kind: "to" | "cc" | "bcc"; address: string; suppressed: boolean }[];
  /** Recipients counted in the current hour and day before this send; a limit of 0 means no limit. */
  quota: { hour: { used: number; limit: number }; day: { used: number; limit: number } };
  /** The mail server that would be used first; `undefined` if none accepts the e-mail. */
  server: ServerPreview | undefined;
  /** State of the sender's domain; `undefined` without a sender. */
  domain: DomainPreview | undefined;
  /** The version that would be sent; `undefined` without a template. */
  templateVersionId: string | undefined;
  /** The rendered subject. */
  subject: string;
  /** Placeholders without a value. */
  missing: string[];
  /** Names in the template data that the template does not use. */
  unused: string[];
  /** Bytes of the rendered subject, html with tracked links, text and the files, before encoding. */
  sizeBytes: number;
  /** Hints that do not prevent the send. */
  warnings: DraftWarning[];
}

/**
 * Returns the result of a dry run for a checked draft, with all reasons. It only reads: no row is written, no key
 * reserved.
 */
export async function tryEmail(
  context: ReadContext<"api_key">,
  draft: EmailDraft,
  call: SubmissionCall,
): Promise<DryRun> {
  const { source, reasons, warnings } = draft;
  const { limits } = draft.workspace;
  const content = await renderWhole(draft, context);
  warnings.push(...content.warnings);
  const [server, standing] = await Promise.all([
    previewServer(context, draft),
    previewDomain(context, draft),
  ]);
  const used = await tellDecision(context, draft, call);
  warnings.push(...dmarcWarnings(standing, used.day));
  return {
    wouldSend: reasons.length === 0 && !warnings.some(({ code }) => sendsNothing.includes(code)),
    reasons,
    recipients: draft.recipients.map(({ kind, address, suppressedBy }) => ({
      kind,
      address,
      suppressed: suppressedBy !== undefined,
    })),
    quota: {
      hour: { used: used.hour, limit: limits.hourlyRateLimit },
      day: { used: used.day, limit: limits.dailyRateLimit },
    },
    server,
    domain: standing?.domain,
    templateVersionId: source.kind === "version" ? source.version.versionId : undefined,
    subject: draft.subject,
    missing: draft.missing,
    unused: content.unused,
    sizeBytes: content.sizeBytes,
    warnings,
  };
}

/** Reports what the accepting transaction would decide, and the plan's usage. */
async function tellDecision(
  context: ReadContext<"api_key">,
  draft: EmailDraft,
  call: SubmissionCall,
): Promise<{ hour: number; day: number }> {
  const whole = assumeWhole(draft);
  const { outcome, used } = await previewDecision(
    context.storage,
    createSubmission(context, whole, whole.from, call),
  );
  if (outcome.kind === "replayed") draft.warnings.push(replayed);
  else if (outcome.kind !== "accepted") draft.reasons.push(refusalOf(outcome, context.now));
  else {
    const spent = await findSpent(context, outcome);
    if (spent === undefined) draft.warnings.push(...warningsOf(outcome, draft.fields));
    else draft.reasons.push(spentKey(spent));
  }
  return used;
}

/**
 * Returns the draft with a sender and a content. If either is missing, that is one of the reasons, and the accepting
 * transaction's are reported, too.
 */
export function assumeWhole(draft: EmailDraft): EmailDraft & { from: Mailbox } {
  const { from = { name: "", address: "" }, source } = draft;
  if (source.kind !== "missing") return { ...draft, from };
  return { ...draft, from, source: { kind: "literal", content: noContent } };
}

/** Returns the e-mail that was sent under the dedupe key, if it can't be the answer any more. */
async function findSpent(
  { storage, workspace, now }: ReadContext<"api_key">,
  { duplicates }: Extract<SubmissionOutcome, { kind: "accepted" }>,
): Promise<string | undefined> {
  const [first] = duplicates.values();
  if (first === undefined) return undefined;
  return (await storage.emails.find(workspace.id, first, now)) === undefined ? first : undefined;
}

/** Codes of warnings for a send that would be answered without sending anything. */
const sendsNothing = ["answered_before", "deduplicated"];

export const replayed: DraftWarning = {
  code: "answered_before",
  message:
    "The same request was made before with this Idempotency-Key: it would get the first answer, and nothing would be sent.",
};

export function warningsOf(
  { items, duplicates }: Extract<SubmissionOutcome, { kind: "accepted" }>,
  { scheduledAt }: Pick<EmailDraft["fields"], "scheduledAt">,
): DraftWarning[] {
  const deduplicated = [...duplicates.values()].map((first) => ({
    code: "deduplicated",
    message:
      "An e-mail was sent before with this dedupe_key: it would be the answer, and nothing would be sent.",
    details: { email_id: first },
  }));
  const deferred = items.flatMap(({ email: { scheduledAt: until } }) =>
    until === undefined || until === scheduledAt
      ? []
      : {
          code: "deferred",
          message: "The plan's limit is reached: the e-mail would wait for the next hour with room.",
          details: { until: new Date(until).toISOString() },
        },
  );
  return [...deduplicated, ...deferred];
}
