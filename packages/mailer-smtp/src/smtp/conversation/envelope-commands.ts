import { isInternational } from "../../compose/is-international.ts";
import type { DsnCondition } from "../settings/server-settings.ts";
import type { Delivery } from "./delivery.ts";

/**
 * Maximum recipients of a transaction; the others follow in further ones. Amazon SES and Postmark take no more, and refuse
 * the content for all: `554 Transaction failed: Recipient count exceeds 50`.
 */
export const maxRecipients = 50;

/** What MAIL FROM says of addresses beyond ASCII (RFC 6531 section 3.4). */
export const utf8Parameters = " BODY=8BITMIME SMTPUTF8";

/**
 * Writes MAIL FROM and one RCPT TO for each recipient, with the parameters that the server supports: SIZE (RFC 1870),
 * DSN (RFC 3461) and SMTPUTF8 (RFC 6531).
 */
export function envelopeCommands(
  { from, to, source, envelopeId, isInternational: needsUtf8 }: Delivery,
  extensions: Map<string, string>,
  dsn: DsnCondition[],
): { mail: string; recipients: string[] } {
  const wantsReports = dsn.length > 0 && extensions.has("DSN");
  const size = extensions.has("SIZE") ? ` SIZE=${source.size}` : "";
  const envelope = wantsReports
    ? ` RET=HDRS${envelopeId === undefined ? "" : ` ENVID=${xtext(envelopeId)}`}`
    : "";
  const utf8 = needsUtf8 ? utf8Parameters : "";
  const notify = wantsReports ? ` NOTIFY=${dsn.join(",").toUpperCase()} ` : "";
  return {
    mail: `MAIL FROM:<${from}>${size}${utf8}${envelope}\r\n`,
    recipients: to.map(
      (address) => `RCPT TO:<${address}>${notify}${wantsReports ? originalRecipient(address) : ""}\r\n`,
    ),
  };
}

/** RFC 3461 section 4.2; addresses beyond ASCII as in RFC 6533 section 3, which escapes "+" and "=" its own way. */
const originalRecipient = (address: string): string =>
  isInternational(address)
    ? `ORCPT=utf-8;${address.replace(/[^!-*,-<>-[\]-~]/gu, (letter) => `\\x{${letter.codePointAt(0)?.toString(16).toUpperCase()}}`)}`
    : `ORCPT=rfc822;${xtext(address)}`;

/** RFC 3461 section 4: characters that are not plain, "+" and "=" are written as "+" and two hexadecimal digits. */
function xtext(text: string): string {
  return text.replace(
    /[^!-*,-<>-~]/g,
    (character) => `+${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
