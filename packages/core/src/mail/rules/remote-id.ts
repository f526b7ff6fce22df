const longest = 255;
/** Characters of a reply that are searched: the time some patterns take grows with their square. */
const searched = 1_000;
/** Patterns of replies that contain the server's id of an accepted message, the most explicit first. */
const patterns = [
  // Postfix, SendGrid and others; Exim.
  /\bqueued as ([\w.+=/-]+)/i,
  /\bid=([\w.+=/@-]+)/i,
  // Microsoft 365 repeats our id before its own.
  /\bInternalId=(\d+)/i,
  // Google: a timestamp, then its id.
  /\b\d{10} ([\w.-]{10,}) - gsmtp\b/,
  /<([^<>\s]+@[^<>\s]+)>/,
  // Sendmail, OpenSMTPD.
  /^\d{3}(?: [245]\.\d{1,3}\.\d{1,3})? ([\w-]*\d[\w-]*) Message accepted for delivery/i,
  // Haraka.
  /\bqueued \(([\dA-F-]{36}\.\d+)\)/i,
  // Amazon SES, Mailjet: a word of letters and digits after "Ok".
  /^\d{3}(?: [245]\.\d{1,3}\.\d{1,3})? (?:ok|accepted)[:,]? ([\w.+=/@-]*\d[\w.+=/@-]*)/i,
];

/**
 * Returns the id that the accepting server gave the message, from its reply to the content. Its later reports are
 * matched by it, as relays write a Message-ID of their own (platform.md P5). `undefined` if the reply has none: Dovecot
 * names one of the `recipients` where others have it.
 */
export function remoteIdOf(reply: string, recipients: readonly { address: string }[]): string | undefined {
  const start = reply.slice(0, searched);
  const isRecipient = (id: string): boolean =>
    id.includes("@") && recipients.some(({ address }) => address.toLowerCase() === id.toLowerCase());
  for (const pattern of patterns) {
    const [, id] = pattern.exec(start) ?? [];
    if (id !== undefined && id.length >= 4 && id.length <= longest && !isRecipient(id))
      return id.replace(/[.,]+$/, "");
  }
  return undefined;
}
