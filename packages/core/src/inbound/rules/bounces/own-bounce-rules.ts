import { type BounceCategory, bounceCategories } from "./bounce-categories.ts";
import type { BounceRule } from "./bounce-rule.ts";
import { compilePattern, type LinearPattern } from "./linear-pattern.ts";
import { PatternFault } from "./parse-pattern.ts";

/**
 * A rule of the operator's, which precedes the service's own: a reply that matches all given conditions has the
 * category.
 */
export interface OwnBounceRule {
  /** The meaning of such a refusal. */
  category: BounceCategory;
  /** Prefix of the reply code, such as `550`, or `5`. */
  code?: string;
  /** Prefix of the enhanced status code, in whole parts, such as `5.7.1`, or `5.7`. */
  enhanced?: string;
  /**
   * A pattern found in the reply, in any case: RE2's language without back references and look-arounds, at most 300
   * characters. Matching takes time proportional to the reply's length.
   */
  words?: string;
  /** Whether the recipient or the content was refused. Default: either. */
  stage?: "recipient" | "content";
}

const maxRules = 200;
/** Maximum number of states of all patterns together: the cost of a hostile reply grows with them. */
const maxSteps = 10_000;
const fields = ["category", "code", "enhanced", "words", "stage"];

/** Parses an operator's rules. Throws a TypeError that names the rule and the fault. */
export function readBounceRules(rules: readonly OwnBounceRule[]): BounceRule[] {
  if (!Array.isArray(rules)) throw new TypeError("bounceRules must be a list");
  if (rules.length > maxRules) throw new TypeError(`bounceRules takes at most ${maxRules} rules`);
  let steps = 0;
  return rules.map((rule: unknown, index) => {
    const fail = (fault: string): never => {
      throw new TypeError(`bounceRules: rule ${index + 1} ${fault}`);
    };
    if (typeof rule !== "object" || rule === null) return fail("is not an object");
    const stranger = Object.keys(rule).find((name) => !fields.includes(name));
    if (stranger !== undefined) return fail(`has the unknown field ${stranger}`);
    const { category, code, enhanced, words, stage } = rule as Partial<Record<string, unknown>>;
    if (typeof category !== "string" || !Object.hasOwn(bounceCategories, category))
      return fail(`must have a category of ${Object.keys(bounceCategories).join(", ")}`);
    if (code === undefined && enhanced === undefined && words === undefined)
      return fail("must have a code, an enhanced code or words");
    if (stage !== undefined && stage !== "recipient" && stage !== "content")
      return fail("must have recipient or content as its stage");
    const pattern = words === undefined ? undefined : readWords(words, fail);
    steps += pattern?.size ?? 0;
    if (steps > maxSteps) return fail("makes the total size of all patterns too large");
    return {
      category: category as BounceCategory,
      example: "",
      ...(code !== undefined && {
        code: readPrefix(code, /^[245]\d{0,2}$/, () => fail("has a code that is not like 550")),
      }),
      ...(enhanced !== undefined && {
        enhanced: readPrefix(enhanced, /^[245](?:\.\d{1,3}){0,2}$/, () =>
          fail("has an enhanced code that is not like 5.7.1"),
        ),
      }),
      ...(pattern && { words: pattern }),
      ...(stage && { stage }),
    };
  });
}

function readWords(words: unknown, fail: (fault: string) => never): LinearPattern {
  if (typeof words !== "string" || words === "") return fail("must have words that are a non-empty text");
  try {
    return compilePattern(words);
  } catch (error) {
    if (error instanceof PatternFault) return fail(`has words with ${error.message}`);
    throw error;
  }
}

/** Makes a test for the prefix of a code: `5.7` matches `5.7.1` but not `5.70.1`. */
function readPrefix(text: unknown, form: RegExp, fail: () => never): RegExp {
  if (typeof text !== "string" || !form.test(text)) return fail();
  const isOfParts = text.includes(".") || form.source.includes(".");
  return new RegExp(`^${text.replaceAll(".", "\\.")}${isOfParts ? "(?:\\.|$)" : ""}`);
}
