import { utf8Text } from "./utf8-text.ts";

/** A header field, unfolded. */
export interface HeaderField {
  /** Field name in lower case. */
  name: string;
  value: string;
}

/** A part of a message, or the whole message. */
export interface MessagePart {
  fields: HeaderField[];
  /** Media type in lower case, without parameters; `text/plain` if there is none. */
  type: string;
  /** Decoded content, one character per byte; empty for a multipart. */
  body: string;
  /** Parts of a multipart. */
  parts: MessagePart[];
}

/** Maximum depth of multiparts, and maximum number of parts: a report needs three, without nesting. */
const maxDepth = 3;
const maxParts = 40;
const maxFields = 500;
/** Maximum characters of a field: what is read of one, such as an address, takes a time that grows with it. */
const maxField = 10_000;
/** Maximum lines of a message: what is behind them is the end of a returned e-mail. */
const maxLines = 50_000;

/**
 * Parses a message as far as a report requires (RFC 5322, RFC 2046). The time is proportional to the number of bytes,
 * and malformed parts are read as far as possible.
 */
export function readMessage(source: string): MessagePart {
  return readPart(firstLines(source).replace(/\r\n?/g, "\n"), 0, { parts: maxParts });
}

/** Cuts off lines beyond the maximum: each costs as much as a hundred bytes. */
function firstLines(source: string): string {
  if (source.length <= maxLines) return source;
  let lines = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === lineFeed || (code === carriageReturn && source.charCodeAt(at + 1) !== lineFeed)) lines += 1;
    if (lines === maxLines) return source.slice(0, at + 1);
  }
  return source;
}

const lineFeed = 10;
const carriageReturn = 13;

/** Returns the value of the first field with the name, or `""`. */
export const fieldOf = ({ fields }: Pick<MessagePart, "fields">, name: string): string =>
  fields.find((field) => field.name === name)?.value ?? "";

/** Returns a part and all parts within it. */
export const allParts = (part: MessagePart): MessagePart[] => [part, ...part.parts.flatMap(allParts)];

/** Parses the header fields at the start of a text; values in UTF-8 (RFC 6532) are decoded. */
export function readFields(text: string): HeaderField[] {
  const fields: HeaderField[] = [];
  for (const line of headOf(text).split("\n")) {
    const last = fields.at(-1);
    if (/^[ \t]/.test(line) && last !== undefined) {
      if (last.value.length < maxField) last.value = `${last.value} ${line.trim()}`.slice(0, maxField);
      continue;
    }
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    if (fields.length >= maxFields) break;
    const value = line
      .slice(colon + 1)
      .trim()
      .slice(0, maxField);
    fields.push({ name: line.slice(0, colon).trim().toLowerCase(), value });
  }
  for (const field of fields) field.value = utf8Text(field.value);
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
  // A comment may follow (RFC 2045 section 5.1).
  const type = (/^[^\s;(]+/.exec(stated)?.[0] ?? "").toLowerCase() || "text/plain";
  const boundary = type.startsWith("multipart/") ? parameterOf(stated, "boundary") : undefined;
  if (boundary === undefined || boundary === "")
    return { fields, type, body: decode(rest, fieldOf({ fields }, "content-transfer-encoding")), parts: [] };
  const parts: MessagePart[] = [];
  if (depth < maxDepth)
    for (const piece of split(rest, boundary)) {
      if (budget.parts <= 0) break;
      parts.push(readPart(piece, depth + 1, budget));
    }
  return { fields, type, body: "", parts };
}

/** Splits a multipart at its boundary; if the last boundary is missing, the text's end takes its place. */
function split(text: string, boundary: string): string[] {
  const pieces: string[] = [];
  let lines: string[] | undefined;
  for (const line of text.split("\n")) {
    const isDelimiter = line.startsWith(`--${boundary}`);
    const after = isDelimiter ? line.slice(boundary.length + 2).trimEnd() : "";
    if (isDelimiter && (after === "" || after === "--")) {
      if (pieces.length === maxParts) break;
      if (lines !== undefined) pieces.push(lines.join("\n"));
      lines = after === "" ? [] : undefined;
    } else lines?.push(line);
  }
  if (lines !== undefined) pieces.push(lines.join("\n"));
  return pieces;
}

/** Returns a parameter of a field such as `Content-Type`. */
function parameterOf(value: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]+))`, "i").exec(value);
  return found?.[1]?.replace(/\\(.)/g, "$1") ?? found?.[2];
}

function decode(text: string, encoding: string): string {
  const how = encoding.trim().toLowerCase();
  if (how === "base64") return Buffer.from(text, "base64").toString("latin1").replace(/\r\n?/g, "\n");
  if (how !== "quoted-printable") return text;
  return withoutEscapes(text.replace(/=[ \t]*\n/g, ""));
}

const hexDigits = "0123456789abcdef";

/**
 * Decodes the escapes of quoted-printable. A message may consist of hundreds of thousands: calling a function for each
 * takes more than twice as long.
 */
export function withoutEscapes(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf("="); at >= 0; at = text.indexOf("=", at + 1)) {
    const high = hexDigits.indexOf(text.charAt(at + 1).toLowerCase() || "-");
    const low = hexDigits.indexOf(text.charAt(at + 2).toLowerCase() || "-");
    if (high < 0 || low < 0) continue;
    parts.push(text.slice(from, at), String.fromCharCode(16 * high + low));
    from = at + 3;
  }
  return parts.join("") + text.slice(from);
}
