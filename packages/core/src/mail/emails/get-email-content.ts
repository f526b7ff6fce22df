import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { type ReadContext, useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { CalendarObject, Mailbox } from "../../ports/mailer.ts";
import type { Email, EmailContent } from "../../ports/storage.ts";
import { domainOf } from "../../rules/addresses.ts";
import { withLink } from "../submission/open-unsubscription.ts";
import { findEmailOrThrow } from "./email-view.ts";

/** An e-mail's content, as transmitted. */
export interface EmailContentView {
  /** The message's author. */
  from: Mailbox;
  /** The sender on behalf of `from`; `undefined` if there is none. */
  sender: Mailbox | undefined;
  /** Recipients in the field To. */
  to: Mailbox[];
  /** Recipients in the field Cc. */
  cc: Mailbox[];
  /** Addresses for replies; if empty, replies go to `from`. */
  replyTo: Mailbox[];
  /** The rendered subject. */
  subject: string;
  /** The message's date, ms since the epoch. */
  date: number;
  /** The Message-ID, with its angle brackets. */
  messageId: string;
  /** Additional header fields of the send. */
  headers: { name: string; value: string }[];
  /** The html part; empty if there is none. */
  html: string;
  /** The text part; empty if there is none. */
  text: string;
  /** The iCalendar object, such as an invitation. */
  calendar: CalendarObject | undefined;
}

/**
 * Reads an e-mail's content, rendered as it is transmitted, without additions made at that time, such as signatures. Refuses
 * sealed content, such as that of sensitive e-mails, and content that was removed (`content_unavailable`).
 */
export const getEmailContent = useCase({
  access: "emails:content",
  refusals: ["content_unavailable"],
  reads: true,
  input: z.strictObject({ emailId: uuidField.describe("The e-mail's id, a UUID.") }),
  async run(context, { emailId }): Promise<EmailContentView> {
    const { storage, workspace, now } = context;
    const email = await findEmailOrThrow(storage, workspace.id, emailId, now);
    const content = await storage.emails.content(emailId);
    const payload = content?.payload;
    // Sealed values are discarded after sending, and their payload with them.
    const { contentId } = email;
    const isSealed = email.isSensitive || typeof payload?.data === "string";
    if (isSealed || content === undefined || payload === undefined || contentId === undefined)
      throw new ServiceError("content_unavailable");
    const data = withLink(payload.data as Record<string, unknown>, payload.unsubscribe);
    const [body, recipients] = await Promise.all([
      payload.literal
        ? storage.contents.find(contentId)
        : render(context, { ...email, contentId }, content, data),
      storage.emails.recipients(emailId),
    ]);
    if (body === undefined) throw new ServiceError("content_unavailable");
    const named = (kind: "to" | "cc"): Mailbox[] =>
      recipients.filter((one) => one.kind === kind).map(({ name, address }) => ({ name, address }));
    const { from, sender, replyTo, headers, calendar } = payload;
    return {
      from,
      sender,
      to: named("to"),
      cc: named("cc"),
      replyTo,
      subject: email.subject,
      date: payload.date ?? email.scheduledAt ?? email.createdAt,
      messageId: `<${email.id}@${domainOf(from.address)}>`,
      headers,
      html: body.html,
      text: body.text,
      calendar,
    };
  },
});

async function render(
  { acceptance }: ReadContext<"emails:content">,
  email: Email & { contentId: number },
  { contentHash, stylesheetSetHash }: EmailContent,
  data: Record<string, unknown>,
): Promise<{ html: string; text: string } | undefined> {
  const { contentId, stylesheetSetId: setId } = email;
  const stylesheets =
    setId === undefined || stylesheetSetHash === undefined
      ? undefined
      : { id: setId, hash: stylesheetSetHash };
  const composition = await acceptance.contentCache.finished(
    { id: contentId, hash: contentHash },
    stylesheets,
    email.workspaceId,
  );
  return composition?.render(data);
}
