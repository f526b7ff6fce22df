const longest = 255;
/** How servers tell what they call a message that they took, the plainest first. */
const patterns = [
  // Postfix, SendGrid and others; Exim.
  /\bqueued as ([\w.+=/-]+)/i,
  /\bid=([\w.+=/@-]+)/i,
  // Microsoft 365 says ours first, and its own behind it.
  /\bInternalId=(\d+)/i,
  // Google: the time, then its id.
  /\b\d{10} ([\w.-]{10,}) - gsmtp\b/,
  /<([^<>\s]+@[^<>\s]+)>/,
  // Amazon SES, Mailjet: a word of letters and digits behind "Ok".
  /^\d{3}(?: [245]\.\d{1,3}\.\d{1,3})? (?:ok|accepted)[:,]? ([\w.+=/@-]*\d[\w.+=/@-]*)/i,
];

/**
 * What the server that took a message calls it, from its reply to the content: by that its later reports are joined, as relays write a
 * Message-ID of their own (platform.md P5). `undefined` where it does not say.
 */
export function remoteIdOf(reply: string): string | undefined {
  for (const pattern of patterns) {
    const [, id] = pattern.exec(reply) ?? [];
    if (id !== undefined && id.length >= 4 && id.length <= longest) return id.replace(/[.,]+$/, "");
  }
  return undefined;
}
