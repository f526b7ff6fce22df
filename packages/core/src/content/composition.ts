import type { NewContent } from "../ports/storage.ts";
import type { LinkRewrite } from "../tracking/links/link-rewrite.ts";
import type { InlineRefusal } from "./inlining.ts";
import { compileContent } from "./rendering/compile-content.ts";
import { createRenderBudget, type RenderBudget } from "./rendering/render-budget.ts";
import { maxRenderWork } from "./rendering/template-limits.ts";
import type { TextParts } from "./rendering/text-parts.ts";
import { maxInlinedBytes } from "./rules/inliner-limits.ts";

/** A rendered composition. */
export interface Rendered {
  /** The rendered subject. */
  subject: string;
  /** The rendered html part; empty if there is none. */
  html: string;
  /** The rendered text part; empty if there is none. */
  text: string;
  /** Names of placeholders without a value. */
  missing: string[];
  /** Names of placeholders without a value in html and text only. */
  missingInBody: string[];
}

/** A body for the mailer; `undefined` for a part that the content lacks. */
export interface RenderedBody {
  html: TextParts | undefined;
  text: TextParts | undefined;
  /** Names of placeholders without a value. */
  missing: readonly string[];
  /** UTF-16 units of both parts together, or somewhat more. */
  size: number;
}

/** A content as it is rendered. */
export interface ComposedContent extends NewContent {
  /** Makes text of a raw value, which is html, if the text was made from the html. */
  textOfHtml?: (html: string) => string;
}

/** A content ready to render. Each method throws `TemplateLimitError`. */
export interface Composition {
  /** Why it is not finished yet: its styles are not inlined, or it has no text part. */
  provisional?: InlineRefusal;
  hasHtml: boolean;
  /** The templates it renders; an absent one is empty. */
  source: ComposedContent;
  /** Number of their tags, and of the marks at their links. */
  tags: number;
  /** Renders everything, for previews. */
  render(data: unknown): Rendered;
  /**
   * Checks what accepting needs without writing the body. It counts towards the mail's rendering budget if other parts
   * were rendered before.
   */
  examine(data: unknown, budget?: RenderBudget): Omit<Rendered, "html" | "text">;
  /** Steps that its last examination took; 0 before the first. */
  lastWork(): number;
  /** Renders what delivery needs; with links rewritten if the content is a tracked one. */
  renderBody(data: unknown, rewrite?: LinkRewrite): RenderedBody;
}

/** A content ready to render; throws `TemplateSyntaxError`. */
export function composeContent(source: ComposedContent): Composition {
  const { subject, html, text, textOfHtml } = source;
  const content = compileContent({
    subject,
    html: html || null,
    text: text || null,
    textOfHtml,
    maxHtmlBytes: maxInlinedBytes,
  });
  let lastWork = 0;
  return {
    hasHtml: content.html !== undefined,
    source,
    tags: [content.subject, content.html, content.text].reduce((sum, part) => sum + (part?.tags ?? 0), 0),
    examine(data, budget = createRenderBudget()) {
      // Of one that a limit ends, the budget does not tell all.
      lastWork = maxRenderWork;
      const head = content.subject?.render(data, budget);
      const html = content.html?.findMissing(data, budget);
      const missingInBody = unite(html, content.text?.findMissing(data, budget));
      lastWork = budget.work;
      return { subject: head?.output ?? "", missing: unite(head?.missing, missingInBody), missingInBody };
    },
    lastWork: () => lastWork,
    render(data) {
      const budget = createRenderBudget();
      const head = content.subject?.render(data, budget);
      const html = content.html?.render(data, budget);
      const text = content.text?.render(data, budget);
      const missingInBody = unite(html?.missing, text?.missing);
      return {
        subject: head?.output ?? "",
        html: html?.output ?? "",
        text: text?.output ?? "",
        missing: unite(head?.missing, missingInBody),
        missingInBody,
      };
    },
    renderBody(data) {
      const budget = createRenderBudget();
      const html = content.html?.renderParts(data, budget);
      const text = content.text?.renderParts(data, budget);
      return {
        html: html?.output,
        text: text?.output,
        missing: unite(html?.missing, text?.missing),
        size: (html?.size ?? 0) + (text?.size ?? 0),
      };
    },
  };
}

/** Joins two lists of different names. */
function unite(first: string[] = [], second: string[] = []): string[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...new Set([...first, ...second])];
}
