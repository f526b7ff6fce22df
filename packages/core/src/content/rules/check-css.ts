import { CssSyntaxError, parse, type Root } from "postcss";
import { shownName } from "../../rules/field-path.ts";
import { InlineFailure } from "./inline-failure.ts";
import { maxCssRules } from "./inliner-limits.ts";

/**
 * Parses CSS and checks that it can be inlined (decisions §5). Throws `InlineFailure` with line and column if it is
 * invalid, holds a placeholder, or has too many rules.
 */
export function checkCss(css: string): Root {
  assertNoMarkup(css);
  const root = parseStrictly(css);
  let rules = 0;
  root.walkRules((rule) => {
    if (++rules > maxCssRules)
      throw new InlineFailure("too_large", `The CSS has more than ${maxCssRules} rules.`);
    if (rule.selector.trim() === "") throw failureAt("A rule needs a selector.", rule.source?.start);
  });
  root.walkDecls((declaration) => {
    const name = declaration.prop;
    // The inliner takes a name that all objects have for a declaration that it read before.
    if (!/^[-_*a-zA-Z\u0080-\uffff][-_a-zA-Z0-9\u0080-\uffff]*$/.test(name) || /^constructor$/i.test(name)) {
      throw failureAt(`"${shownName(name)}" is not a property.`, declaration.source?.start);
    }
    if (declaration.parent === root) {
      throw failureAt(`"${shownName(name)}" is outside any rule.`, declaration.source?.start);
    }
  });
  return root;
}

function assertNoMarkup(css: string): void {
  const placeholder = css.indexOf("{{");
  if (placeholder !== -1)
    throw failureAt("CSS can't contain placeholders such as {{name}}.", positionOf(css, placeholder));
  const tag = css.search(/<\/style|<!--/i);
  if (tag !== -1) throw failureAt("CSS can't contain HTML.", positionOf(css, tag));
}

function parseStrictly(css: string): Root {
  try {
    return parse(css);
  } catch (error) {
    if (!(error instanceof CssSyntaxError)) throw error;
    // The reason quotes the word that it stumbles over, which may be all of the CSS.
    throw failureAt(`${shownName(error.reason)}.`, { line: error.line ?? 1, column: error.column ?? 1 });
  }
}

function failureAt(message: string, at: { line: number; column: number } | undefined): InlineFailure {
  const place = at ? ` (line ${at.line}, column ${at.column})` : "";
  return new InlineFailure(
    "failed",
    `Invalid CSS: ${message.replace(/\.$/, "")}${place}.`,
    at?.line,
    at?.column,
  );
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}
