import { type CompiledTemplate, compileTemplate, type TemplateOptions } from "./compile-template.ts";
import { createRenderBudget, type RenderBudget } from "./render-budget.ts";
import { type TemplateField, TemplateSyntaxError } from "./template-errors.ts";

/** Sources of a version's three templates. An absent one renders as null. */
export type ContentSource = {
  subject?: string | null | undefined;
  html?: string | null | undefined;
  text?: string | null | undefined;
  /** Makes text of a raw value, which is html, if the text was made from the html. */
  textOfHtml?: ((html: string) => string) | undefined;
};

/** The rendered content of one mail. */
export type RenderedContent = {
  subject: string | null;
  html: string | null;
  text: string | null;
  /**
   * Names printed without a value in any of the three, each once: those of the subject first, then of html, then of
   * text.
   */
  missing: string[];
};

/** A version's content, ready to render any number of times. */
export type CompiledContent = {
  /** The three templates; absent ones are undefined. */
  subject: CompiledTemplate | undefined;
  html: CompiledTemplate | undefined;
  text: CompiledTemplate | undefined;
  /** Renders plain JSON; all parts share one budget. Throws `TemplateLimitError` past a limit (decisions §5). */
  render(data: unknown, budget?: RenderBudget): RenderedContent;
};

/** Compiles a version's content (decisions §5). Throws `TemplateSyntaxError` whose `field` names the faulty part. */
export function compileContent(source: ContentSource): CompiledContent {
  const subject = compileField("subject", source.subject, { escape: "none", singleLine: true });
  const html = compileField("html", source.html, { escape: "html" });
  const text = compileField("text", source.text, { escape: "none", convertRaw: source.textOfHtml });
  return {
    subject,
    html,
    text,
    render(data, budget = createRenderBudget()) {
      const parts = {
        subject: subject?.render(data, budget),
        html: html?.render(data, budget),
        text: text?.render(data, budget),
      };
      const missing = [parts.subject, parts.html, parts.text].flatMap((part) => part?.missing ?? []);
      return {
        subject: parts.subject?.output ?? null,
        html: parts.html?.output ?? null,
        text: parts.text?.output ?? null,
        missing: missing.length > 1 ? [...new Set(missing)] : missing,
      };
    },
  };
}

function compileField(
  field: TemplateField,
  source: string | null | undefined,
  options: TemplateOptions,
): CompiledTemplate | undefined {
  if (source === null || source === undefined) return undefined;
  try {
    return compileTemplate(source, options);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    throw new TemplateSyntaxError(error.message, error.line, error.column, field);
  }
}
