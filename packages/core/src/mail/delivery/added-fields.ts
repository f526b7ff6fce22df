import { complaintAddress, unsubscribeAddress } from "../../inbound/rules/inbound-address.ts";
import type { MailMessage } from "../../ports/mailer.ts";
import type { Email, EmailPayload } from "../../ports/storage/emails.ts";

/** How a message is named where it comes back to. */
interface Named {
  /** The signed name of the e-mail. */
  token: string;
  /** A domain whose mail reaches this service; `undefined` if there is none. */
  returnPath: string | undefined;
}

/**
 * What a reader's program unsubscribes by: with one request (RFC 8058), or a mail where this service takes in some. The mail says twice what it
 * is about, as some programs leave its subject out, and the e-mail that its address names may be long forgotten. Signed with DKIM.
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
 * Fields by which mailbox providers group mails in their reports: Gmail's `Feedback-ID`, and, if complaints about this
 * domain's mail reach this service, the address for them (RFC 9477). A caller's own `Feedback-ID` stays.
 */
export function feedbackFields(
  { campaignId, template, workspaceId }: Pick<Email, "campaignId" | "template" | "workspaceId">,
  { token, returnPath, headers }: Named & Pick<EmailPayload, "headers">,
): MailMessage["headers"] {
  const kind = campaignId === undefined ? (template === undefined ? "direct" : "template") : "campaign";
  const about = campaignId ?? (nameOf(template ?? "") || "none");
  const isGiven = headers.some(({ name }) => name.toLowerCase() === "feedback-id");
  return [
    ...(isGiven || workspaceId === undefined
      ? []
      : [{ name: "Feedback-ID", value: `${about}:${workspaceId}:${kind}:posthorn` }]),
    ...(returnPath === undefined
      ? []
      : [
          { name: "CFBL-Address", value: `${complaintAddress(returnPath)}; report=arf` },
          { name: "CFBL-Feedback-ID", value: token },
        ]),
  ];
}

/** A template's name without the characters that are not allowed in the field. */
const nameOf = (template: string): string =>
  template
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, longestName);
