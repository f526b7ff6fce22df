import { type BounceCategory, type BounceClass, bounceCategories } from "./bounce-categories.ts";
import type { BounceRule } from "./bounce-rule.ts";
import { bounceRules } from "./bounce-rules.ts";

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
  const find = (rules: readonly BounceRule[]) => rules.find((one) => fits(one, said))?.category;
  const ours = (): BounceCategory | undefined =>
    refusal.isDomainGone === true ? "bad_domain" : find(bounceRules);
  const isTemporary = code === "" && /^4/.test(refusal.status ?? "");
  const found = find(own) ?? ours() ?? (isTemporary ? "transient" : "other");
  const isAnybodys = refusal.isShared === true && bounceCategories[found].suppress !== "never";
  const category = isAnybodys ? "other" : found;
  return { class: bounceCategories[category].class, category, enhancedCode };
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

/**
 * Returns the enhanced status code: the reply's own rather than the report's, because relays often report `5.0.0`
 * whatever the server said, or guess by the reply code. Ignores parts of an IP address such as `5.7.1.20`, and codes
 * that contradict the reply code.
 */
export function enhancedCodeOf(reply: string, status: string | undefined, code: string): string | undefined {
  const [, said] = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/.exec(reply) ?? [];
  const fromReply =
    said !== undefined && (code === "" || said.charAt(0) === code.charAt(0)) ? said : undefined;
  const [stated] = /^[245]\.\d{1,3}\.\d{1,3}$/.exec(status?.trim() ?? "") ?? [];
  const isVague = (one: string | undefined): boolean => one === undefined || /^\d\.0\.0$/.test(one);
  const better = isVague(fromReply) && guesses[code] !== stated ? stated : fromReply;
  return isVague(better) ? undefined : better;
}
