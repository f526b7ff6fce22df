import { replyLine } from "../bounces/reply-line.ts";
import { fieldOf, type HeaderField, readFields } from "./read-message.ts";
import type { Finding, ReportFacts } from "./report.ts";

/** No e-mail has more recipients. */
const maxGroups = 1_001;

/**
 * Parses the machine-readable part of a notification (RFC 3464): groups of fields, the first about the message, each
 * further one about a recipient. Only failures and delays are reported, successful deliveries are skipped.
 */
export function readStatus(body: string): ReportFacts {
  const groups = body
    .split(/\n[ \t]*\n[ \t\n]*/, maxGroups)
    .map((text) => readFields(text.replace(/^\n+/, "")))
    .filter((fields) => fields.length > 0);
  const [perMessage = []] = groups;
  // Some servers omit the message's group, or the blank line after it.
  const recipients = groups.flatMap(splitRecipients);
  return {
    kind: "notification",
    findings: recipients.flatMap(findingOf),
    namesNobody: recipients.length === 0,
    ids: ["original-envelope-id", "x-original-message-id"]
      .map((name) => fromXtext(fieldOf({ fields: perMessage }, name)))
      .filter((id) => id !== ""),
  };
}

/**
 * Splits a group by recipient: the message's group has none, each other has one, whatever the order of its fields.
 * Where blank lines are missing a group has several, each beginning with its first address.
 */
function splitRecipients(fields: HeaderField[]): HeaderField[][] {
  const finals = fields.filter(({ name }) => name === "final-recipient").length;
  if (finals === 0) return fields.some(({ name }) => name === "original-recipient") ? [fields] : [];
  if (finals === 1) return [fields];
  const recipients: HeaderField[][] = [];
  for (const field of fields) {
    const last = recipients.at(-1);
    const isAddress = addressFields.has(field.name);
    if (isAddress && (last === undefined || isBegun(last, field.name))) recipients.push([field]);
    else last?.push(field);
  }
  return recipients;
}

/**
 * Actions (RFC 3464 section 2.3.3), with other forms of the same words, which some servers write; `undefined` for those
 * that are not reported.
 */
const kinds: ReadonlyMap<string, Finding["kind"] | undefined> = new Map([
  ["failed", "bounce"],
  ["failure", "bounce"],
  ["fail", "bounce"],
  ["delayed", "delay"],
  ["delay", "delay"],
  ["delivered", undefined],
  ["relayed", undefined],
  ["expanded", undefined],
]);

const addressFields = new Set(["final-recipient", "original-recipient"]);

/**
 * Whether the next address belongs to another recipient: this one already has such an address, or fields after its
 * addresses.
 */
const isBegun = (fields: HeaderField[], name: string): boolean =>
  fields.some((field) => field.name === name || !addressFields.has(field.name));

/**
 * Returns what happened to a recipient. Haraka (3.3) omits action and status where a server accepted a message for
 * others: only a failure is reported without them. Words of another kind, such as `error`, leave it to the status.
 */
function kindOf(fields: HeaderField[], status: string | undefined): Finding["kind"] | undefined {
  const action = fieldOf({ fields }, "action");
  const word = (/[a-z]+/i.exec(action)?.[0] ?? "").toLowerCase();
  if (kinds.has(word)) return kinds.get(word);
  if (action !== "" && status === undefined) return undefined;
  if (status === undefined) return "bounce";
  return kindsByClass.get(status.charAt(0));
}

const kindsByClass: ReadonlyMap<string, Finding["kind"]> = new Map([
  ["4", "delay"],
  ["5", "bounce"],
]);

function findingOf(fields: HeaderField[]): Finding[] {
  const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(fieldOf({ fields }, "status"))?.[0];
  const kind = kindOf(fields, status);
  if (kind === undefined) return [];
  const diagnostic = fieldOf({ fields }, "diagnostic-code");
  const reply = diagnostic.replace(/^\s*[\w-]+\s*;\s*/, "");
  // Sendmail's only word of a host that it could not look up: the recipient's, or the relay that it was told to use.
  const [, unreached] =
    (reply === "" && /^\s*dns\s*;\s*([^\s;]{1,255})/i.exec(fieldOf({ fields }, "remote-mta"))) || [];
  return [
    {
      kind,
      addresses: [
        ...new Set(
          ["original-recipient", "final-recipient", "x-actual-recipient"].map((name) =>
            addressIn(fieldOf({ fields }, name)),
          ),
        ),
      ].filter((address) => address !== ""),
      status,
      reply: replyLine(reply === "" ? (status ?? "") : reply),
      feedback: undefined,
      isStructured: true,
      ...(unreached !== undefined && { unreached }),
    },
  ];
}

/** Extracts the address of `rfc822; <ada@example.com> (comment)`. */
export function addressIn(value: string): string {
  const [, type = "", rest = value] = /^\s*([\w-]+)\s*;([\s\S]*)$/.exec(value) ?? [];
  const bare = rest.replace(/\([^()]*\)/g, "").trim();
  const [, inner] = /<([^<>]*)>/.exec(bare) ?? [];
  const address = (inner ?? bare).trim();
  if (/^utf-8$/i.test(type)) return fromUnicodeXtext(address);
  return /^(?:rfc822)?$/i.test(type) ? fromXtext(address) : "";
}

/** Decodes an address of type `utf-8` for servers without 8-bit text: `\x{FC}` is a character (RFC 6533 section 3). */
const fromUnicodeXtext = (text: string): string =>
  text.replace(/\\x\{(10[\dA-F]{4}|[\dA-F]{1,5})\}/gi, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 16)),
  );

/**
 * Decodes xtext (RFC 3461 section 4): `+` and two capital hexadecimal digits are a character. A plain address may
 * contain a plus of its own, as in `ada+40@example.com`, whose `@` is not encoded.
 */
function fromXtext(text: string): string {
  return /\+(?:2B|3D)/.test(text) || (/\+40/.test(text) && !text.includes("@"))
    ? text.replace(/\+([\dA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    : text;
}
