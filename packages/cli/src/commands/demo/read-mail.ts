/** A mail as displayed by a mail program. */
export interface ReadableMail {
  from: string;
  to: string;
  subject: string;
  messageId: string;
  html: string;
  text: string;
}

/** Parses a mail's headers and its html and text parts (RFC 5322, 2045 to 2047), from one character per byte. */
export function readMail(source: string): ReadableMail {
  const top = readPart(source);
  const parts = leavesOf(top);
  const contentOf = (type: string): string =>
    (parts.find((part) => part.type === type)?.content ?? "").replaceAll("\r\n", "\n");
  return {
    from: decodeWords(top.headers.from ?? ""),
    to: decodeWords(top.headers.to ?? ""),
    subject: decodeWords(top.headers.subject ?? ""),
    messageId: top.headers["message-id"] ?? "",
    html: contentOf("text/html"),
    text: contentOf("text/plain"),
  };
}

interface Part {
  headers: Partial<Record<string, string>>;
  type: string;
  body: string;
}

function readPart(source: string): Part {
  const end = source.indexOf("\r\n\r\n");
  const head = end === -1 ? source : source.slice(0, end);
  const headers: Part["headers"] = {};
  for (const line of head.replace(/\r\n[ \t]+/g, " ").split("\r\n")) {
    const [, name = "", value = ""] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    headers[name.toLowerCase()] ??= value;
  }
  const type = (headers["content-type"] ?? "text/plain").split(";")[0]?.trim().toLowerCase() ?? "";
  return { headers, type, body: end === -1 ? "" : source.slice(end + 4) };
}

function leavesOf(part: Part): { type: string; content: string }[] {
  const boundary = /boundary="?([^";]+)"?/i.exec(part.headers["content-type"] ?? "")?.[1];
  if (!part.type.startsWith("multipart/") || boundary === undefined) {
    return [{ type: part.type, content: decodeBody(part) }];
  }
  return `\r\n${part.body}`
    .split(`\r\n--${boundary}`)
    .slice(1)
    .filter((section) => !section.startsWith("--"))
    .flatMap((section) => leavesOf(readPart(section.replace(/^\r\n/, ""))));
}

function decodeBody({ headers, body }: Part): string {
  const encoding = headers["content-transfer-encoding"]?.trim().toLowerCase();
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding === "quoted-printable") return decodeQuoted(body.replace(/[ \t]*=\r\n/g, ""));
  return Buffer.from(body, "latin1").toString("utf8");
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([\dA-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === "b"
        ? Buffer.from(text, "base64").toString("utf8")
        : decodeQuoted(text.replaceAll("_", " ")),
    );
}
