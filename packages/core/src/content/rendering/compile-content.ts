import { type CompiledTemplate, compileTemplate, type TemplateOptions } from "./compile-template.ts";
import { type TemplateField, TemplateSyntaxError } from "./template-errors.ts";

/** Sources of a version's three templates. An absent one renders as null. */
export type ContentSource = {
  subject?: string | null | undefined;
  html?: string | null | undefined;
  text?: string | null | undefined;
  /** Makes text of a raw value, which is html, if the text was made from the html. */
  textOfHtml?: ((html: string) => string) | undefined;
  /** Maximum bytes of the html, which is longer once styles are inlined. Default 512 KiB. */
  maxHtmlBytes?: number;
};

/** A version's three templates, ready to render any number of times; absent ones are undefined. */
export type CompiledContent = {
  subject: CompiledTemplate | undefined;
  html: CompiledTemplate | undefined;
  text: CompiledTemplate | undefined;
};

/** Compiles a version's content (decisions §5). Throws `TemplateSyntaxError` whose `field` names the faulty part. */
export function compileContent(source: ContentSource): CompiledContent {
  return {
    subject: compileField("subject", source.subject, { escape: "none", singleLine: true }),
    html: compileField("html", source.html, { escape: "html", maxBytes: source.maxHtmlBytes }),
    text: compileField("text", source.text, { escape: "none", convertRaw: source.textOfHtml }),
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
