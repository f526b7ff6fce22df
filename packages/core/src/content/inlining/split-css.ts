import { type ChildNode, list, type Root, type Rule } from "postcss";

/** CSS in two parts: rules that can become style attributes, and rules that must stay in a `<style>` element. */
export type SplitCss = { inlinable: string; kept: string };

/** Pseudo-classes that hold for an element in every mail client, so that they can be inlined. */
const structuralPattern =
  /:(?:first-child|last-child|only-child|first-of-type|last-of-type|only-of-type|empty|root|nth-(?:last-)?(?:child|of-type)\([^()]*\))/g;

/** Splits a parsed stylesheet. At-rules, and selectors with other pseudo-classes, stay in `<style>` (decisions §5). */
export function splitCss(root: Root): SplitCss {
  const inlinable: string[] = [];
  const kept: string[] = [];
  for (const node of root.nodes) {
    if (node.type === "rule") splitRule(node, inlinable, kept);
    // An @import is kept for the mail client, and never fetched.
    else if (node.type === "atrule" && node.name.toLowerCase() !== "charset") kept.push(source(node));
  }
  return { inlinable: inlinable.join("\n"), kept: kept.join("\n") };
}

function splitRule(rule: Rule, inlinable: string[], kept: string[]): void {
  const selectors = list.comma(rule.selector);
  const plain = selectors.filter(isInlinable);
  const others = selectors.filter((selector) => !isInlinable(selector));
  if (plain.length > 0) inlinable.push(source(rule.clone({ selector: plain.join(", ") })));
  // Nested rules, and variables that the remaining rules may use, are needed in both parts.
  const both = rule.nodes.some((node) => node.type === "rule" || node.type === "atrule" || isVariable(node));
  if (both) kept.push(source(rule));
  else if (others.length > 0) kept.push(source(rule.clone({ selector: others.join(", ") })));
}

function isInlinable(selector: string): boolean {
  return !selector
    .replace(structuralPattern, "")
    .replace(/\[[^\]]*\]/g, "")
    .includes(":");
}

function isVariable(node: ChildNode): boolean {
  return node.type === "decl" && node.prop.startsWith("--");
}

function source(node: ChildNode): string {
  const text = node.toString().trim();
  return node.type === "atrule" && node.nodes === undefined ? `${text};` : text;
}
