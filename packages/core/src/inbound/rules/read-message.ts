/** A header field, unfolded. */
export interface HeaderField {
  /** In lower case. */
  name: string;
  value: string;
}

/** A part of a message, or all of it. */
export interface MessagePart {
  fields: HeaderField[];
  /** In lower case, without parameters; `text/plain` where none is stated. */
  type: string;
  /** Without transfer encoding: one character a byte. Empty for a multipart. */
  body: string;
  /** Of a multipart. */
  parts: MessagePart[];
}

/** How deep multiparts are looked into, and how many parts are looked at: a report needs three, and no nesting. */
const mostDepth = 3;
const mostParts = 40;
const mostFields = 500;

/**
 * Takes a message apart as far as a report needs it (RFC 5322, RFC 2046). Hostile bytes cost time in proportion to their number, and
 * what is not well formed is read as far as it goes.
 */
export function readMessage(source: string): MessagePart {
  return readPart(source.replace(/\r\n?/g, "\n"), 0, { parts: mostParts });
}

/** The value of the first field of the name, or `""`. */
export const fieldOf = ({ fields }: Pick<MessagePart, "fields">, name: string): string =>
  fields.find((field) => field.name === name)?.value ?? "";

/** A part, and all within it. */
export const allParts = (part: MessagePart): MessagePart[] => [part, ...part.parts.flatMap(allParts)];

/** Reads the header fields that a text begins with. */
export function readFields(text: string): HeaderField[] {
  const fields: HeaderField[] = [];
  for (const line of headOf(text).split("\n")) {
    const last = fields.at(-1);
    if (/^[ \t]/.test(line) && last !== undefined) {
      if (last.value.length < 10_000) last.value += ` ${line.trim()}`;
      continue;
    }
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    if (fields.length >= mostFields) break;
    const value = line
      .slice(colon + 1)
      .trim()
      .slice(0, 10_000);
    fields.push({ name: line.slice(0, colon).trim().toLowerCase(), value });
  }
  return fields;
}

const headOf = (text: string): string => {
  if (text.startsWith("\n")) return "";
  const end = text.indexOf("\n\n");
  return end < 0 ? text : text.slice(0, end);
};

function readPart(text: string, depth: number, budget: { parts: number }): MessagePart {
  budget.parts -= 1;
  const head = headOf(text);
  const fields = readFields(head);
  const rest = text.slice(head.length).replace(/^\n{1,2}/, "");
  const stated = fieldOf({ fields }, "content-type");
  const type = (stated.split(";", 1)[0] ?? "").trim().toLowerCase() || "text/plain";
  const boundary = type.startsWith("multipart/") ? parameterOf(stated, "boundary") : undefined;
  if (boundary === undefined || boundary === "")
    return { fields, type, body: decode(rest, fieldOf({ fields }, "content-transfer-encoding")), parts: [] };
  const parts: MessagePart[] = [];
  if (depth < mostDepth)
    for (const piece of split(rest, boundary)) {
      if (budget.parts <= 0) break;
      parts.push(readPart(piece, depth + 1, budget));
    }
  return { fields, type, body: "", parts };
}

/** What stands between the boundary's lines; a missing last one ends with the text. */
function split(text: string, boundary: string): string[] {
  const pieces: string[] = [];
  let lines: string[] | undefined;
  for (const line of text.split("\n")) {
    const isDelimiter = line.startsWith(`--${boundary}`);
    const after = isDelimiter ? line.slice(boundary.length + 2).trimEnd() : "";
    if (isDelimiter && (after === "" || after === "--")) {
      if (lines !== undefined) pieces.push(lines.join("\n"));
      lines = after === "" ? [] : undefined;
    } else lines?.push(line);
  }
  if (lines !== undefined) pieces.push(lines.join("\n"));
  return pieces;
}

/** A parameter of a field such as `Content-Type`. */
function parameterOf(value: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]+))`, "i").exec(value);
  return found?.[1]?.replace(/\\(.)/g, "$1") ?? found?.[2];
}

function decode(text: string, encoding: string): string {
  const how = encoding.trim().toLowerCase();
  if (how === "base64") return Buffer.from(text, "base64").toString("latin1").replace(/\r\n?/g, "\n");
  if (how !== "quoted-printable") return text;
  return text
    .replace(/=[ \t]*\n/g, "")
    .replace(/=([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
