import { domainToASCII } from "node:url";

/** A file of a captured mail. */
export interface MailFile {
  filename: string;
  contentType: string;
  /** Content id without its angle brackets; empty for none. */
  contentId: string;
  content: Buffer;
}

/** Parses the files of a captured message, as a mail program would. */
export async function readFiles(source: string): Promise<MailFile[]> {
  // Loaded only when a mail is viewed.
  const { default: PostalMime } = await import("postal-mime");
  const { attachments } = await PostalMime.parse(Buffer.from(source));
  return attachments.map(({ filename, mimeType, contentId, content }) => ({
    filename: filename ?? "",
    contentType: mimeType,
    contentId: (contentId ?? "").replace(/^<|>$/g, ""),
    content: typeof content === "string" ? Buffer.from(content) : Buffer.from(content as ArrayBuffer),
  }));
}

/** Returns the header fields of a captured message in order, unfolded but not decoded. */
export function readHeaders(source: string): { name: string; value: string }[] {
  const end = source.search(/\r?\n\r?\n/);
  const unfolded = (end === -1 ? source : source.slice(0, end)).replace(/\r?\n(?=[ \t])/g, "");
  return unfolded.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(":");
    return colon < 1 ? [] : [{ name: line.slice(0, colon), value: line.slice(colon + 1).trim() }];
  });
}

/** The header fields with the words that they encode (RFC 2047), as a mail program shows them. */
export async function decodeHeaders(
  headers: readonly { name: string; value: string }[],
): Promise<{ name: string; value: string }[]> {
  const { decodeWords } = await import("postal-mime");
  return headers.map(({ name, value }) => ({ name, value: decodeWords(value) }));
}

/** The recipients, with their names, by the header field that names them; those that none names are blind copies. */
export async function addressedIn(
  headers: readonly { name: string; value: string }[],
  recipients: readonly string[],
): Promise<{ to: string[]; cc: string[]; bcc: string[] }> {
  const { addressParser } = await import("postal-mime");
  const namedIn = (field: string): Map<string, string> =>
    new Map(
      headers
        .filter(({ name }) => name.toLowerCase() === field)
        .flatMap(({ value }) => addressParser(value, { flatten: true }))
        .map(({ name, address = "" }) => [comparable(address), name]),
    );
  const [to, cc] = [namedIn("to"), namedIn("cc")];
  const fields = { to: [] as string[], cc: [] as string[], bcc: [] as string[] };
  for (const address of recipients) {
    const one = comparable(address);
    const name = to.get(one) ?? cc.get(one) ?? "";
    const field = to.has(one) ? "to" : cc.has(one) ? "cc" : "bcc";
    fields[field].push(name === "" ? address : `${name} <${address}>`);
  }
  return fields;
}

/** A message may write the domain of an address in ASCII. */
function comparable(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at);
  return (address.slice(0, at) + (domainToASCII(domain) || domain)).toLowerCase();
}
