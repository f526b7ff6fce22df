import { type BounceCategory, type BounceClass, bounceCategories } from "./bounce-categories.ts";
import { type BounceRule, bounceRules } from "./bounce-rules.ts";

/** What was said of mail that did not arrive. */
export interface Refusal {
  /** The SMTP reply code, where one is known apart from the text. */
  code?: number | undefined;
  /** The enhanced status code that a report states apart from the text. */
  status?: string | undefined;
  /** The reply: hostile. */
  reply: string;
  /** Whether a recipient was refused or what was sent to it. A report does not say: its words count as those at a recipient. */
  stage: "recipient" | "content";
  /** Whether the recipient's domain was missing for so long that it is gone (platform.md P7), whatever the reply's digit says. */
  isDomainGone?: boolean;
}

/** What a refusal means. */
export interface Bounce {
  class: BounceClass;
  category: BounceCategory;
  /** Such as `5.1.1`; `undefined` where there is none. */
  enhancedCode: string | undefined;
}

/** Characters of a reply that are looked at. */
const mostText = 2_000;

/**
 * What a refusal means, by the first rule that fits; the operator's own go first. What no rule knows is `undetermined`, and suppresses
 * nobody.
 */
export function classifyRefusal(refusal: Refusal, own: readonly BounceRule[] = []): Bounce {
  const reply = refusal.reply.slice(0, mostText);
  const code = String(refusal.code ?? codeOf(reply) ?? "");
  const enhancedCode = enhancedCodeOf(reply, refusal.status, code);
  // A report may state no more than that it failed for good.
  const permanent =
    code === "" && enhancedCode === undefined && /^5/.test(refusal.status ?? "") ? "550" : code;
  const said = { code: permanent, enhanced: enhancedCode ?? "", reply, stage: refusal.stage };
  const find = (rules: readonly BounceRule[]) => rules.find((one) => fits(one, said))?.category;
  const ours = (): BounceCategory | undefined =>
    refusal.isDomainGone === true ? "bad_domain" : find(bounceRules);
  const category = find(own) ?? ours() ?? "other";
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

/** A report may give only the enhanced code, which says as much as the digit that a rule by code looks at. */
const codeFrom = (enhanced: string): string => (enhanced === "" ? "" : `${enhanced.charAt(0)}50`);

/** The reply code that a text begins with. */
export function codeOf(reply: string): number | undefined {
  const [, code] = /^\s*([245]\d\d)(?=[ \t-]|$)/.exec(reply) ?? [];
  return code === undefined ? undefined : Number(code);
}

/**
 * The enhanced status code: the reply's own before the one that a report states, as relays often state `5.0.0` for whatever a server
 * said. No part of an address such as `5.7.1.20` is one, nor one that contradicts the reply code.
 */
function enhancedCodeOf(reply: string, status: string | undefined, code: string): string | undefined {
  const [, said] = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/.exec(reply) ?? [];
  const fromReply =
    said !== undefined && (code === "" || said.charAt(0) === code.charAt(0)) ? said : undefined;
  const [stated] = /^[245]\.\d{1,3}\.\d{1,3}$/.exec(status?.trim() ?? "") ?? [];
  const isVague = (one: string | undefined): boolean => one === undefined || /^\d\.0\.0$/.test(one);
  const better = isVague(fromReply) ? stated : fromReply;
  return isVague(better) ? undefined : better;
}
