import { oneLine } from "./one-line.ts";
import { fieldOf, type MessagePart } from "./read-message.ts";
import type { Finding, ReportFacts } from "./report.ts";

/**
 * Parses the notices of servers without RFC 3464: Exim's, qmail's, Exchange's. They are texts for people: recipient and
 * reason are extracted, and never suppress an address by themselves.
 */
export function readOldNotice(message: MessagePart, text: string): ReportFacts | undefined {
  const findings = exim(message, text) ?? qmail(text) ?? exchange(message, text);
  return findings === undefined ? undefined : { kind: "delivery", findings, ids: [] };
}

const maxAddresses = 100;
const longestAddress = 320;
/** Characters in which addresses are looked for: looking for one takes a time proportional to the product of both lengths. */
const searched = 20_000;

function finding(address: string, reply: string): Finding {
  const line = oneLine(reply);
  return {
    kind: "bounce",
    addresses: [address.trim()],
    status: /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(line)?.[0],
    reply: line,
    feedback: undefined,
    isStructured: false,
  };
}

/** Parses Exim's `X-Failed-Recipients` and its text: an address, with the reason indented below it. */
function exim(message: MessagePart, text: string): Finding[] | undefined {
  const failed = fieldOf(message, "x-failed-recipients");
  if (failed === "") return undefined;
  return failed
    .split(",")
    .slice(0, maxAddresses)
    .filter((address) => address.trim().length <= longestAddress)
    .map((address) => finding(address, withoutPreface(paragraphAfter(text, address.trim()))));
}

/** Returns the server's reply, which Exim quotes after the command and the host. */
const withoutPreface = (reason: string): string => /:\s([245]\d\d[ -][\s\S]*)/.exec(reason)?.[1] ?? reason;

/** Parses qmail's QSBMF: a fixed first line, and a paragraph per recipient that begins with `<address>:`. */
function qmail(text: string): Finding[] | undefined {
  if (!/^\s*Hi\. This is the /.test(text)) return undefined;
  const [notice = ""] = text.split(/^--- /m, 1);
  return notice
    .split(/\n[ \t]*\n/, 2 * maxAddresses)
    .flatMap((paragraph) => {
      const [, address = "", reason = ""] = /^\s*<([^<>\s]{3,320})>:([\s\S]*)$/.exec(paragraph) ?? [];
      return address.includes("@") ? finding(address, remoteReply(reason)) : [];
    })
    .slice(0, maxAddresses);
}

/** Extracts the server's reply, which qmail quotes after a text of its own. */
const remoteReply = (reason: string): string =>
  /(?:Remote host said:|failed after I sent the message\.)\s*([\s\S]*)/
    .exec(reason)?.[1]
    ?.trimEnd()
    .replace(/\nGiving up on .*$/, "") ?? reason;

/** Parses notices of older Exchange servers, and of others that write only for people. */
function exchange(message: MessagePart, text: string): Finding[] | undefined {
  const isNotice =
    /^\s*(?:Your message did not reach some or all of the intended recipients|Delivery has failed to these recipients)/.test(
      text,
    ) ||
    (/^(?:mailer-daemon|postmaster)@/i.test(fieldOf(message, "return-path").replace(/^</, "")) &&
      /undeliver|failure|returned/i.test(fieldOf(message, "subject")));
  if (!isNotice) return undefined;
  const addresses = [
    ...text.slice(0, searched).matchAll(/([\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d.-]{1,253})/gi),
  ].map(([, address = ""]) => address);
  return [...new Set(addresses)]
    .slice(0, maxAddresses)
    .map((address) => finding(address, paragraphAfter(text, address)));
}

/** Returns the text between an address and the next blank line. */
function paragraphAfter(text: string, address: string): string {
  const start = address === "" ? -1 : text.slice(0, searched).indexOf(address);
  if (start < 0) return "";
  const after = text.slice(start + address.length, start + address.length + 4_000);
  const end = after.search(/\n[ \t]*\n/);
  return (end < 0 ? after : after.slice(0, end)).replace(/^[>:\s]+/, "");
}
