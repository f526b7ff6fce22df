import { type BounceCategory, type BounceClass, bounceCategories } from "./bounce-categories.ts";
import type { BounceRule } from "./bounce-rule.ts";
import { bounceRules } from "./bounce-rules.ts";
import { isAnotherDomain, namesAnotherDomain } from "./names-another-domain.ts";
import { withoutPreface } from "./reply-line.ts";

/** A reply about mail that was not delivered. */
export interface Refusal {
  /** The SMTP reply code, if it is known apart from the text. */
  code?: number | undefined;
  /** The enhanced status code that a report gives apart from the text. */
  status?: string | undefined;
  /** The reply: untrusted text. */
  reply: string;
  /**
   * Whether the recipient or the content was refused. Reports do not say, so their replies count as refusals of the
   * recipient.
   */
  stage: "recipient" | "content";
  /**
   * Whether the recipient's domain was missing for so long that it is considered gone (platform.md P7), whatever the
   * reply's digit says.
   */
  isDomainGone?: boolean;
  /**
   * Addresses that may have been refused: the recipient, and whom its mail is forwarded to. A reply that calls another's
   * domain missing says nothing of them.
   */
  addresses?: readonly string[];
  /** The host that the reporting server could not reach, where it gives no reply. */
  unreached?: string | undefined;
  /** Whether the one reply refused several recipients: then it does not say whose mailbox is at fault. */
  isShared?: boolean;
}

/** Meaning of a refusal. */
export interface Bounce {
  class: BounceClass;
  category: BounceCategory;
  /** Enhanced status code such as `5.1.1`; `undefined` if there is none. */
  enhancedCode: string | undefined;
}

/** Maximum characters of a reply that are examined. */
const maxText = 2_000;

/**
 * Returns the meaning of a refusal by the first matching rule; the operator's own rules come first. A reply without a
 * matching rule is `undetermined` and suppresses nobody.
 */
export function classifyRefusal(refusal: Refusal, own: readonly BounceRule[] = []): Bounce {
  const reply = refusal.reply.slice(0, maxText);
  const code = String(refusal.code ?? codeOf(reply) ?? "");
  const enhancedCode = enhancedCodeOf(reply, refusal.status, code);
  // Some reports say only that the failure is permanent.
  const permanent =
    code === "" && enhancedCode === undefined && /^5/.test(refusal.status ?? "") ? "550" : code;
  const said = { code: permanent, enhanced: enhancedCode ?? "", reply, stage: refusal.stage };
  const find = (rules: readonly BounceRule[], as: Said) => rules.find((one) => fits(one, as))?.category;
  const ours = (): BounceCategory | undefined =>
    refusal.isDomainGone === true
      ? "bad_domain"
      : find(bounceRules, meant({ ...said, reply: withoutNames(reply) }));
  const isTemporary = code === "" && /^4/.test(refusal.status ?? "");
  const found = find(own, said) ?? ours() ?? (isTemporary ? "transient" : "other");
  const isAnybodys = refusal.isShared === true && bounceCategories[found].suppress !== "never";
  const category = isAnybodys || isOfAnotherDomain(found, refusal, reply) ? "other" : found;
  return { class: bounceCategories[category].class, category, enhancedCode };
}

const isOfAnotherDomain = (
  found: BounceCategory,
  { isDomainGone, addresses = [], unreached }: Refusal,
  reply: string,
): boolean =>
  isDomainGone !== true &&
  bounceCategories[found].suppress === "at_once" &&
  (namesAnotherDomain(reply, addresses) ||
    (found === "bad_domain" && unreached !== undefined && isAnotherDomain(unreached, addresses)));

/**
 * Returns a reply without the words within addresses and paths, which are nobody's statement: `spam@example.com` may be
 * a recipient. The addresses that a domain should have stay.
 */
const withoutNames = (reply: string): string =>
  reply
    .replace(/\bhttps?:\/\/([^\s/]{1,255})\S*/gi, "$1")
    .replace(/(?<![^\s<>"'(:])(?!(?:postmaster|abuse)@)[^\s<>"'(:@]{1,64}@[^\s<>"'(),;:@]{1,255}/gi, "x@x");

/** How Postfix refuses an address that a probe did not reach, with the code of a missing mailbox, whatever the reason. */
const probed = /\brecipient address rejected: (?:undeliverable|unverified) address: ([\s\S]+)$/i;

/** Returns what is meant: of a refusal for a probe, the reason that the probe met. */
function meant(said: Said): Said {
  const outer = said.code === "" ? codeFrom(said.enhanced) : said.code;
  const [, reason] = outer.startsWith("5") ? (probed.exec(said.reply) ?? []) : [];
  if (reason === undefined) return said;
  const reply = withoutPreface(reason);
  const code = String(codeOf(reply) ?? outer);
  return { ...said, reply, code, enhanced: enhancedCodeOf(reply, undefined, code) ?? "" };
}

interface Said {
  code: string;
  enhanced: string;
  reply: string;
  stage: "recipient" | "content";
}

function fits({ enhanced, code, words, stage }: BounceRule, said: Said): boolean {
  if (stage !== undefined && stage !== said.stage) return false;
  if (enhanced !== undefined && !enhanced.test(said.enhanced)) return false;
  if (code !== undefined && !code.test(said.code === "" ? codeFrom(said.enhanced) : said.code)) return false;
  return words === undefined || words.test(said.reply);
}

/** Some reports give only the enhanced code, whose class corresponds to the first digit of a reply code. */
const codeFrom = (enhanced: string): string => (enhanced === "" ? "" : `${enhanced.charAt(0)}50`);

/** Returns the reply code at the start of a text. */
export function codeOf(reply: string): number | undefined {
  const [, code] = /^\s*([245]\d\d)(?=[ \t-]|$)/.exec(reply) ?? [];
  return code === undefined ? undefined : Number(code);
}

/** What Sendmail reports for a reply that has only a code, whatever its words. */
const guesses: Record<string, string> = { 550: "5.1.1", 551: "5.1.6", 552: "5.2.2", 553: "5.1.3" };

/** An enhanced status code; not the parts of an IP address such as `5.7.1.20`. */
const enhancedPattern = String.raw`(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)`;
const anywhere = new RegExp(enhancedPattern);
/** Where a reply has its own: behind the reply code (RFC 2034), or in parentheses, as qmail writes it. */
const inPlace = new RegExp(
  String.raw`^\s*(?:[245]\d\d[ -]+)?[[(]?#?${enhancedPattern}|\(#${enhancedPattern}`,
);

/**
 * Returns the enhanced status code: the reply's own rather than the report's, because relays often report `5.0.0`
 * whatever the server said, or guess by the reply code. One in the midst of the reply may be quoted: it counts where the
 * report has none. Ignores codes that contradict the reply code.
 */
export function enhancedCodeOf(reply: string, status: string | undefined, code: string): string | undefined {
  const [stated] = /^[245]\.\d{1,3}\.\d{1,3}$/.exec(status?.trim() ?? "") ?? [];
  const specific = isVague(stated) || guesses[code] === stated ? undefined : stated;
  const [, first, qmails] = inPlace.exec(reply) ?? [];
  const placed = first ?? qmails;
  const said = placed ?? specific ?? anywhere.exec(reply)?.[1];
  const own = said !== undefined && (code === "" || said.charAt(0) === code.charAt(0)) ? said : undefined;
  const better = isVague(own) ? specific : own;
  return isVague(better) ? undefined : better;
}

const isVague = (one: string | undefined): boolean => one === undefined || /^\d\.0\.0$/.test(one);
