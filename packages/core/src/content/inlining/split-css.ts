import { type ChildNode, list, type Root, type Rule } from "postcss";
import { isVariable } from "./is-variable.ts";
import { keepLive, type LiveVariables } from "./live-variables.ts";
import { hasPseudo, settleSelector, withoutStrings } from "./settle-selector.ts";

/** CSS in two parts: rules that can become style attributes, and rules that must stay in a `<style>` element. */
export type SplitCss = { inlinable: string; kept: string };

/** What is known of the html that the CSS is for. */
export type SelectorFacts = {
  /**
   * Returns a selector of the elements for which a pseudo-class of their place, or one that holds selectors, holds
   * whatever the values are.
   */
  placed(pseudoClass: string): string | undefined;
  /**
   * Returns a selector without those elements that the given one matches by siblings or ancestors which values may bring
   * or take.
   */
  sure(selector: string): string;
  /** Whether ancestors that values may bring or take decide what the selector matches. */
  isWrapped(selector: string): boolean;
  /** Whether values may decide which elements the selector matches, or readers, by what they add to the html. */
  isUndecided(selector: string): boolean;
  /** Whether values, readers or states decide which of the html's own elements the selector matches. */
  isForSome(selector: string): boolean;
  /** Whether the selector is for any element, also for those that readers add. */
  reachesImplied(selector: string): boolean;
};

/**
 * Splits a parsed stylesheet. At-rules, and selectors with pseudo-classes or whose matches depend on values, stay in
 * `<style>` (decisions §5). Of these, the pseudo-classes that `settleSelector` replaces are inlined as well.
 */
export function splitCss(root: Root, facts: SelectorFacts, live: LiveVariables): SplitCss {
  const inlinable: string[] = [];
  const kept: string[] = [];
  for (const node of importsFirst(root)) {
    if (node.type === "rule") splitRule(node, { facts, live }, inlinable, kept);
    else if (isKept(node)) kept.push(source(node));
  }
  return { inlinable: inlinable.join("\n"), kept: kept.join("\n") };
}

/** Leaves all of a parsed stylesheet to the `<style>` element. */
export const keepCss = (root: Root): SplitCss => ({
  inlinable: "",
  kept: importsFirst(root)
    .filter((node) => node.type === "rule" || isKept(node))
    .map(source)
    .join("\n"),
});

const isAtRule = (node: ChildNode, name: string): boolean =>
  node.type === "atrule" && node.name.toLowerCase() === name;

/** An @import is kept for the mail client, too, and never fetched. */
const isKept = (node: ChildNode): boolean => node.type === "atrule" && !isAtRule(node, "charset");

/** The nodes of joined stylesheets: each may begin with an @import, which counts before all rules only. */
const importsFirst = ({ nodes }: Root): ChildNode[] =>
  nodes.toSorted((a, b) => Number(isAtRule(b, "import")) - Number(isAtRule(a, "import")));

type Known = { facts: SelectorFacts; live: LiveVariables };

function splitRule(rule: Rule, { facts, live }: Known, inlinable: string[], kept: string[]): void {
  const selectors = list.comma(rule.selector);
  if (selectors.some(isForSomeReaders)) return void kept.push(source(rule));
  const plain: string[] = [];
  const others: string[] = [];
  for (const selector of selectors) {
    const { selector: settled, stays } = settleSelector(withoutAnyNamespace(selector), facts.placed);
    if (!stays) plain.push(facts.sure(settled));
    // What a `:not()` makes important is to win over media queries where readers know it.
    const isUndecided = facts.isUndecided(selector) || facts.isWrapped(settled);
    if (stays || isUndecided || /:not\(/i.test(selector)) others.push(selector);
  }
  if (plain.length > 0) inlinable.push(inlinableSource(rule, plain.join(", "), live));
  // Nested rules, and variables that the remaining rules may use, are needed in both parts.
  const both = rule.nodes.some((node) => node.type === "rule" || node.type === "atrule" || isVariable(node));
  if (both) kept.push(source(rule));
  else if (others.length > 0) kept.push(source(rule.clone({ selector: others.join(", ") })));
  const copied = selectors.filter(
    (selector) => (hasPseudo(selector) || facts.reachesImplied(selector)) && !others.includes(selector),
  );
  if (!both && copied.length > 0) kept.push(copySource(rule, copied.join(", ")));
}

/** Drops the `*|` of `*|p`, which says that the element may be of any namespace: the inliner finds none by it. */
const withoutAnyNamespace = (selector: string): string =>
  selector.replace(/\\.|\[[^\]]*\]|(\*\|)/gs, (part, any?: string) => (any === undefined ? part : ""));

/** Whether a list with this selector is dropped as a whole by readers that don't know its pseudo-class, to target others. */
const isForSomeReaders = (selector: string): boolean => /::?-/.test(withoutStrings(selector));

/** A rule that is inlined wherever it holds. Style attributes are to win over its copy, also over what is important. */
function copySource(rule: Rule, selector: string): string {
  const copy = rule.clone({ selector });
  copy.walkDecls((declaration) => {
    declaration.important = false;
  });
  return source(copy);
}

function inlinableSource(rule: Rule, selector: string, live: LiveVariables): string {
  const copy = rule.clone({ selector });
  keepLive(copy, live);
  copy.walkDecls((declaration) => {
    // Without its mark, what is for old readers alone would be for all.
    if (/[*_]$/.test(declaration.raws.before ?? "")) return void declaration.remove();
    if (live.circular.has(declaration.prop)) return void declaration.remove();
    // The inliner compares names as they are written.
    if (!isVariable(declaration)) declaration.prop = declaration.prop.toLowerCase();
    declaration.value = escapeQuotes(declaration.value);
  });
  return source(copy);
}

/** Escapes quotes within strings: the inliner writes each `"` as `'`, which would end a string of the other kind. */
const escapeQuotes = (value: string): string =>
  value.replace(/\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, (part) =>
    part.startsWith("\\")
      ? part
      : `'${part.slice(1, -1).replace(/\\?["']|\\./gs, (found) => escapedQuotes[found.slice(-1)] ?? found)}'`,
  );

const escapedQuotes: Readonly<Record<string, string>> = { '"': "\\22 ", "'": "\\27 " };

function source(node: ChildNode): string {
  const text = node.toString().trim();
  return node.type === "atrule" && node.nodes === undefined ? `${text};` : text;
}
