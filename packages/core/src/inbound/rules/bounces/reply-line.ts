import { oneLine } from "../../../rules/one-line.ts";

/**
 * Returns a server's reply as one line. A reply of several lines has its codes in each, as in
 * `550-5.1.1 No mailbox 550 5.1.1 by that name` (RFC 5321 section 4.2.1); only the first stay.
 */
export function replyLine(text: string): string {
  const line = oneLine(text);
  const [begin, code = "", enhanced = ""] = /^([245]\d\d)-([245]\.\d{1,3}\.\d{1,3}(?= |$))?/.exec(line) ?? [];
  if (begin === undefined) return line;
  const codes = new RegExp(
    `(?<= )${code}[ -]${enhanced === "" ? "" : `${enhanced.replaceAll(".", "\\.")}(?= |$)`}`,
    "g",
  );
  return oneLine(`${code} ${enhanced} ${line.slice(begin.length).replace(codes, " ")}`);
}

/**
 * Returns the server's reply, which Exim, OpenSMTPD and Courier (`<<< 451 …`) quote after the host and the command, and
 * Sendmail within brackets.
 */
export function withoutPreface(reason: string): string {
  const [, inner] = /^\((reason: [\s\S]*?)\)(?:\s*\(expanded from: [^()]*\))?\s*$/.exec(reason) ?? [];
  const said = inner ?? reason;
  const [, reply = said] = /(?::|<<<)\s+([245]\d\d[ -][\s\S]*)/.exec(said) ?? [];
  return reply.replace(/^reason: /, "");
}
