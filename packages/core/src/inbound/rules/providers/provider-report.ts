import { replyLine } from "../bounces/reply-line.ts";
import { tokensInAddresses } from "../report-token.ts";
import { emailIdsIn } from "../reports/email-ids-in.ts";
import type { Finding, Mentions } from "../reports/report.ts";
import { textAt } from "./read-at.ts";

/** What a relay's webhook reports about one e-mail. */
export interface ProviderReport {
  findings: Finding[];
  mentions: Mentions;
  /** The relay's own id of the message; `""` if it gives none. */
  remoteId: string;
  /** To whom we sent the message, if the relay says so beside those whom it reports. */
  sentTo?: readonly string[];
}

/** Values that a webhook gives for one recipient. */
export interface ToldRecipient {
  kind: Finding["kind"];
  address: string;
  /** The enhanced status code, or a reply code. */
  status?: string;
  reply?: string;
  feedback?: string;
  isUndecided?: boolean;
}

/** Makes the finding for a recipient in a webhook. */
export function findingOf({
  kind,
  address,
  status = "",
  reply: given = "",
  feedback,
  isUndecided,
}: ToldRecipient): Finding {
  // Some give the diagnostic code of a notification, with its type: `smtp;550 …`.
  const reply = given.replace(/^\s*(?:smtp|x-[\w-]+)\s*;\s*/i, "");
  const [enhanced] = /[245]\.\d{1,3}\.\d{1,3}/.exec(status) ?? [];
  const [code] = /^[245]\d\d$/.exec(status.trim()) ?? [];
  const words = replyLine(code === undefined || reply.startsWith(code) ? reply : `${code} ${reply}`);
  return {
    kind,
    addresses: [bareAddress(address)],
    status: enhanced,
    reply: words === "" ? (enhanced ?? feedback ?? "") : words,
    feedback: kind === "complaint" ? (feedback ?? "abuse") : undefined,
    isStructured: true,
    ...(isUndecided === true ? { isUndecided } : {}),
  };
}

/**
 * Some relays give an address as the field `To` of the e-mail has it, `Ada <ada@example.com>`, or quote its local part
 * without need.
 */
export const bareAddress = (text: string): string =>
  (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim().replace(/^"([^"\\@\s]+)"(?=@)/, "$1");

const tokenAlone = /^[a-z2-7]{26}$/i;

/**
 * Finds the identifiers of the e-mail in header fields, given as `{name, value}`, and in texts such as its Message-ID
 * or return path.
 */
export function mentionsOf(headers: readonly unknown[], texts: readonly string[]): Mentions {
  const fields = headers.slice(0, 200).map((field) => ({
    name: textAt(field, "name").toLowerCase(),
    value: textAt(field, "value").slice(0, 1_000),
  }));
  const headerOf = (name: string): string => fields.find((field) => field.name === name)?.value ?? "";
  const token = headerOf("x-service-ref").trim();
  const ids = [headerOf("x-service-email-id"), headerOf("message-id"), ...texts];
  return {
    tokens: [...(tokenAlone.test(token) ? [token] : []), ...texts.flatMap(tokensInAddresses)].slice(0, 5),
    emailIds: [...new Set(ids.flatMap(emailIdsIn))].slice(0, 5),
  };
}

/** Reads a body that is one event or a list of them. Events that report nothing are left out. */
export const readEvents = (
  body: unknown,
  read: (event: unknown) => ProviderReport | undefined,
): ProviderReport[] => (Array.isArray(body) ? body : [body]).flatMap((event) => read(event) ?? []);
