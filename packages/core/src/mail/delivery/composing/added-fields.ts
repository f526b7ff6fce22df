import { complaintAddress, unsubscribeAddress } from "../../../inbound/rules/inbound-address.ts";
import type { MailMessage } from "../../../ports/mailer.ts";
import type { Email, EmailPayload } from "../../../ports/storage.ts";

/** Values for fields by which a message is recognised when something about it comes back. */
interface Named {
  /** The e-mail's signed token. */
  token: string;
  /** A domain whose mail reaches this service; `undefined` if there is none. */
  returnPath: string | undefined;
}

/**
 * Returns the header fields by which a mail program unsubscribes: with one request (RFC 8058), or with a mail if this
 * service receives mail. That mail identifies the unsubscription twice, in address and subject: some programs omit the
 * subject, and the e-mail behind the address may have been removed long ago. The fields are signed with DKIM.
 */
export function unsubscribeFields(
  { unsubscribe }: Pick<EmailPayload, "unsubscribe">,
  { token, returnPath }: Named,
): MailMessage["headers"] {
  if (unsubscribe === undefined) return [];
  const { url } = unsubscribe;
  const subject = `unsubscribe%20${url.slice(url.lastIndexOf("/") + 1)}`;
  const mail = returnPath && `, <mailto:${unsubscribeAddress(token, returnPath)}?subject=${subject}>`;
  return [
    { name: "List-Unsubscribe", value: `<${url}>${mail ?? ""}` },
    { name: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" },
  ];
}

const longestName = 40;

/**
 * Returns the fields by which mailbox providers group mails in their reports: Gmail's `Feedback-ID`, and the address
 * for complaints (RFC 9477) if complaints about this domain's mail reach this service. A caller's own `Feedback-ID`
 * and `CFBL-Feedback-ID`, of which a message may have one, stay.
 */
export function feedbackFields(
  { campaignId, template, workspaceId }: Pick<Email, "campaignId" | "template" | "workspaceId">,
  { token, returnPath, headers }: Named & Pick<EmailPayload, "headers">,
): MailMessage["headers"] {
  const kind = campaignId === undefined ? (template === undefined ? "direct" : "template") : "campaign";
  const about = campaignId ?? (nameOf(template ?? "") || "none");
  const isGiven = (key: string): boolean => headers.some(({ name }) => name.toLowerCase() === key);
  return [
    ...(isGiven("feedback-id") || workspaceId === undefined
      ? []
      : [{ name: "Feedback-ID", value: `${about}:${workspaceId}:${kind}:posthorn` }]),
    ...(returnPath === undefined
      ? []
      : [
          { name: "CFBL-Address", value: `${complaintAddress(returnPath)}; report=arf` },
          ...(isGiven("cfbl-feedback-id") ? [] : [{ name: "CFBL-Feedback-ID", value: token }]),
        ]),
  ];
}

/** Returns a template's name without the characters that the field does not allow. */
const nameOf = (template: string): string =>
  template
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, longestName);
