import { type CutLiterals, cutLiterals, markLinks } from "../tracking/links/mark-links.ts";
import { rewriteParts } from "../tracking/links/rewrite-parts.ts";
import type { ComposedContent, Composition } from "./composition.ts";
import { TemplateLimitError } from "./rendering/template-errors.ts";

/**
 * Returns a composition with its links found once, so that `renderBody` can rewrite them in each mail. `compose` makes
 * a composition from a content with marks at the links, and throws `TemplateSyntaxError` if these exceed a limit.
 */
export async function trackComposition(
  untracked: Composition,
  compose: (content: ComposedContent) => Composition,
): Promise<Composition> {
  const { source } = untracked;
  if (source.html === "") return untracked;
  const { Tokenizer: createTokenizer } = await import("htmlparser2");
  const html = markLinks(source.html, createTokenizer);
  const marked = compose({ ...source, html });
  let cut: CutLiterals | undefined;
  return {
    ...untracked,
    // Each mark is one unit.
    tags: untracked.tags + html.length - source.html.length,
    renderBody(data, rewrite) {
      if (rewrite === undefined) return untracked.renderBody(data);
      const body = renderWithin(marked, data);
      if (body?.html === undefined) return untracked.renderBody(data);
      cut ??= cutLiterals(body.html.literals);
      const { html: rewritten, added } = rewriteParts(body.html.parts, cut, { rewrite, createTokenizer });
      return { ...body, html: rewritten, size: body.size + added };
    },
  };
}

/** Renders within the limits of templates; `undefined` beyond them: what fits without marks is sent untracked. */
function renderWithin(marked: Composition, data: unknown): ReturnType<Composition["renderBody"]> | undefined {
  try {
    return marked.renderBody(data);
  } catch (error) {
    if (error instanceof TemplateLimitError) return undefined;
    throw error;
  }
}
