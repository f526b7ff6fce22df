/** A mail as displayed by a mail program. */
export interface ReadableMail {
  from: string;
  to: string;
  subject: string;
  messageId: string;
  html: string;
  text: string;
}

/** Parses a mail as a mail program would, from one character per byte. */
export async function readMail(source: string): Promise<ReadableMail> {
  // Loaded only by the demo.
  const { default: PostalMime } = await import("postal-mime");
  const { from, to, subject, messageId, html, text } = await PostalMime.parse(Buffer.from(source, "latin1"));
  const shown = (box: typeof from): string =>
    box?.name ? `${box.name} <${box.address}>` : (box?.address ?? "");
  const lines = (content = ""): string => content.replaceAll("\r\n", "\n");
  return {
    from: shown(from),
    to: (to ?? []).map(shown).join(", "),
    subject: subject ?? "",
    messageId: messageId ?? "",
    html: lines(html),
    text: lines(text),
  };
}
