import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { enhancedCodeOf } from "../../inbound/rules/bounces/classify-refusal.ts";
import type { EmailStatus, RecipientDetails } from "../../ports/storage.ts";
import { sumHits, viewRecipients } from "../../tracking/hits-view.ts";
import { type EmailDetails, findEmailOrThrow, noSuchEmail, viewStored } from "./email-view.ts";
import { buildTimeline } from "./timeline/build-timeline.ts";
import { readSources } from "./timeline/read-sources.ts";

/**
 * Reads an e-mail with its recipients' states, its attempts and its timeline (decisions §7). With the workspace `all`, for
 * administrators, an e-mail of any workspace or of the service itself, including what the operator's mail servers
 * replied about themselves.
 */
export const getEmail = useCase({
  access: ["api_key", "emails:read", "administrator"],
  reads: true,
  input: z.strictObject({ emailId: uuidField.describe("The e-mail's id, a UUID.") }),
  async run({ storage, workspace, runtime }, { emailId }): Promise<EmailDetails> {
    const now = runtime.queueClock.now();
    const read = async () => {
      const email = await findEmailOrThrow(storage, workspace?.id ?? "all", emailId, now);
      const [view, recipients, attempts] = await Promise.all([
        viewStored(storage, email),
        storage.emails.recipients(emailId),
        storage.emails.attempts(emailId),
      ]);
      return { email, view, recipients, attempts };
    };
    const first = await read();
    // Settled between two reads: a status "sending" would contradict recipients who all have the e-mail.
    const isOver = first.recipients.every(({ settledAt }) => settledAt !== undefined);
    const isTorn = isOver && waiting.includes(first.email.status);
    const { email, view, recipients, attempts } = isTorn ? await read() : first;
    const isOperator = workspace === undefined;
    const known = { email, recipients, attempts, isOperator };
    const sources = await readSources(storage, known, now);
    if (sources === undefined) throw noSuchEmail();
    const { hits } = sources.history;
    const isSettled = !waiting.includes(email.status);
    return {
      ...view,
      contentRemoved: email.contentId === undefined || (email.isSensitive && isSettled),
      recipients: viewRecipients(recipients.map(withEnhancedCode), hits),
      opens: sumHits(hits, "open"),
      clicks: sumHits(hits, "click"),
      attempts: attempts.map(({ trace: _, ...attempt }) => attempt),
      timeline: buildTimeline(sources),
    };
  },
});

/** Statuses of e-mails with recipients who are not settled. */
const waiting: readonly EmailStatus[] = ["scheduled", "queued", "sending"];

/** A bounce is stored with its code; that of a reply that deferred a recipient is read from the reply. */
function withEnhancedCode(recipient: RecipientDetails): RecipientDetails {
  const { state, lastReply, code, enhancedCode } = recipient;
  // Without a code the words are our own, such as about a connection, and a number in them means nothing.
  if (state !== "deferred" || enhancedCode !== undefined || code === undefined) return recipient;
  return { ...recipient, enhancedCode: enhancedCodeOf(lastReply, undefined, String(code)) };
}
