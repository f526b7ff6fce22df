/** A file of a kept mail. */
export interface MailFile {
  filename: string;
  contentType: string;
  /** Without its angle brackets; empty where it has none. */
  contentId: string;
  content: Buffer;
}

/** Reads the files out of a kept message, as a mail program would. */
export async function readFiles(source: string): Promise<MailFile[]> {
  // Loaded where a mail is looked at, and nowhere else.
  const { default: PostalMime } = await import("postal-mime");
  const { attachments } = await PostalMime.parse(Buffer.from(source, "latin1"));
  return attachments.map(({ filename, mimeType, contentId, content }) => ({
    filename: filename ?? "",
    contentType: mimeType,
    contentId: (contentId ?? "").replace(/^<|>$/g, ""),
    content: typeof content === "string" ? Buffer.from(content) : Buffer.from(content as ArrayBuffer),
  }));
}

/** The header fields of a kept message in order, unfolded and as they were written. */
export function readHeaders(source: string): { name: string; value: string }[] {
  const end = source.search(/\r?\n\r?\n/);
  const unfolded = (end === -1 ? source : source.slice(0, end)).replace(/\r?\n(?=[ \t])/g, "");
  return unfolded.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(":");
    return colon < 1 ? [] : [{ name: line.slice(0, colon), value: line.slice(colon + 1).trim() }];
  });
}
