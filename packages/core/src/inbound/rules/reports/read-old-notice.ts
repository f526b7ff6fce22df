import { replyLine, withoutPreface } from "../bounces/reply-line.ts";
import { decodeWords } from "./decode-words.ts";
import { findReasons, maxAddresses, searched } from "./find-reasons.ts";
import { fieldOf, type MessagePart } from "./read-message.ts";
import type { Finding, ReportFacts } from "./report.ts";

/**
 * Parses the notices of servers without RFC 3464: Exim's, qmail's, dma's, Exchange's and others'. They are texts for people:
 * recipient and reason are extracted, and never suppress an address by themselves.
 */
export function readOldNotice(message: MessagePart, text: string): ReportFacts | undefined {
  const findings = exim(message, text) ?? qmail(text) ?? dragonFly(text) ?? otherNotice(message, text);
  return findings === undefined ? undefined : { kind: "notification", findings, ids: [] };
}

const longestAddress = 320;

function finding(address: string, reply: string): Finding {
  const line = replyLine(reply);
  return {
    kind: "bounce",
    addresses: [address],
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
  const addresses = failed
    .split(",")
    .slice(0, maxAddresses)
    .map((address) => address.trim())
    .filter((address) => address !== "" && address.length <= longestAddress);
  const reasonOf = findReasons(text, addresses);
  return addresses.map((address) => finding(address, withoutPreface(reasonOf(address, { anywhere: true }))));
}

/**
 * Parses qmail's QSBMF: a fixed first line, and a paragraph per recipient that begins with `<address>:`. Some servers
 * borrow no more than the first line.
 */
function qmail(text: string): Finding[] | undefined {
  if (!/^\s*Hi\. This is the /.test(text)) return undefined;
  const [notice = ""] = text.split(/^--- /m, 1);
  const findings = notice.split(/\n[ \t]*\n/, 2 * maxAddresses).flatMap((paragraph) => {
    const [, address = "", reason = ""] = /^\s*<([^<>\s]{3,320})>:([\s\S]*)$/.exec(paragraph) ?? [];
    return address.includes("@") ? finding(address, remoteReply(reason)) : [];
  });
  return findings.length === 0 ? undefined : findings.slice(0, maxAddresses);
}

/** Extracts the server's reply, which qmail quotes after a text of its own. */
const remoteReply = (reason: string): string =>
  /(?:Remote host said:|failed after I sent the message\.)\s*([\s\S]*)/
    .exec(reason)?.[1]
    ?.trimEnd()
    .replace(/\nGiving up on .*$/, "") ?? reason;

/** Parses the notices of the DragonFly Mail Agent (dma): three paragraphs, of which the last is the reason. */
function dragonFly(text: string): Finding[] | undefined {
  const [head = "", about = "", reason = ""] = text.trimStart().split(/\n[ \t]*\n/, 3);
  if (!head.startsWith("This is the DragonFly Mail Agent")) return undefined;
  const [, address] = /^There was an error delivering your mail to <([^<>\s]{3,320})>\.$/.exec(about) ?? [];
  return address === undefined ? undefined : [finding(address, withoutPreface(reason))];
}

/**
 * Parses notices of older Exchange servers, and of others that write only for people: Yahoo's, GMX's, those of devices.
 * The copy of the message, below a line that announces it, names addresses that did not fail.
 */
function otherNotice(message: MessagePart, text: string): Finding[] | undefined {
  const isNotice =
    /^\s*(?:Your message did not reach some or all of the intended recipients|Delivery has failed to these recipients|Sorry, we were unable to deliver your message to the following address)/.test(
      text,
    ) ||
    (isFromServer(message) && isFailure(decodeWords(fieldOf(message, "subject"))));
  if (!isNotice) return undefined;
  const [above = ""] = text.slice(0, searched).split(copyBelow, 1)[0]?.split(copyFollows, 1) ?? [];
  // Exchange 5.5 shows the message's To and Cc above the recipients whom it did not reach.
  const notice = above.split(/^did not reach the following recipient\(s\):/m, 2).at(-1) ?? "";
  const addresses = [...notice.matchAll(/([\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d.-]{0,252}[a-z\d])/gi)].map(
    ([, address = ""]) => address,
  );
  const named = [...new Set(addresses)].slice(0, maxAddresses);
  const reasonOf = findReasons(notice, named);
  return named.map((address) => finding(address, withoutPreface(reasonOf(address, { anywhere: true }))));
}

/** Such as `--- Below this line is a copy of the message.`, but not `----- The following addresses had errors -----`. */
const copyBelow = /^[ \t]{0,20}-{3,} ?(?=[^-\s])[^\n]*\b(?:copy|original|header|below)\b/im;

/** Such as `Message headers follow:`, but not `The error message follows:`. */
const copyFollows =
  /^[ \t]{0,20}(?:[a-z]+ ){0,4}(?:original message|message headers?|headers? of the (?:original )?message)\b[^\n]{0,40}\bfollows?\b/im;

const isFailure = (subject: string): boolean =>
  /undeliver|fail(?:ed|ure)|return(?:ed|ing)|reject|(?:not|non|n.t)[ -](?:be |been )?deliver|deliver\w* (?:error|problem)/i.test(
    subject,
  ) && !/delay|warning|temporar|yet/i.test(subject);

/** Only a message that was fed from a mailbox says by its return path who sent it. */
const isFromServer = (message: MessagePart): boolean =>
  ["return-path", "from"].some((name) =>
    /(?:^|[<"\s])(?:mailer-daemon|postmaster)@/i.test(fieldOf(message, name)),
  );
