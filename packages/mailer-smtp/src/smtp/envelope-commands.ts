import type { DsnCondition } from "./server-settings.ts";
import type { Delivery } from "./transact.ts";

/** Writes MAIL FROM and one RCPT TO a recipient, with what the server knows of SIZE (RFC 1870) and DSN (RFC 3461). */
export function envelopeCommands(
  { from, to, source, envelopeId }: Delivery,
  extensions: Map<string, string>,
  dsn: DsnCondition[] | undefined,
): { mail: string; recipients: string[] } {
  const wantsReports = dsn !== undefined && extensions.has("DSN");
  const size = extensions.has("SIZE") ? ` SIZE=${source.size}` : "";
  const envelope = wantsReports
    ? ` RET=HDRS${envelopeId === undefined ? "" : ` ENVID=${xtext(envelopeId)}`}`
    : "";
  const notify = wantsReports ? ` NOTIFY=${dsn.join(",").toUpperCase()} ORCPT=rfc822;` : "";
  return {
    mail: `MAIL FROM:<${from}>${size}${envelope}\r\n`,
    recipients: to.map((address) => `RCPT TO:<${address}>${wantsReports ? notify + xtext(address) : ""}\r\n`),
  };
}

/** RFC 3461 section 4: what is not plain, "+" or "=" is written as "+" and two hexadecimal digits. */
function xtext(text: string): string {
  return text.replace(
    /[^!-*,-<>-~]/g,
    (character) => `+${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
