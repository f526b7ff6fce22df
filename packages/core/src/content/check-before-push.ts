import { parseInput } from "../calls/input/parse-input.ts";
import { fieldError } from "../errors.ts";
import { checkSyntax, mergeContent } from "./templates/content-fields.ts";
import { templateInput } from "./templates/template-input.ts";

/**
 * Checks a template without a service: its fields, and the syntax of its parts. What the workspace decides is left out:
 * whether the name is taken, and whether the stylesheets can be inlined within the limits. Throws `validation_failed`
 * as `templates.create` does.
 */
export function checkTemplate(template: Record<string, unknown>): void {
  const given = parseInput(templateInput, template);
  mergeContent(given);
  checkSyntax(given);
}

/** Checks the syntax of CSS without a service. Rejects with `validation_failed` as `stylesheets.create` does. */
export async function checkStylesheet(css: string): Promise<void> {
  // The parser is loaded for this alone: in a service it runs in a thread of its own.
  const { checkCss } = await import("./rules/check-css.ts");
  try {
    checkCss(css);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "InlineFailure") throw error;
    throw fieldError("css", error.message);
  }
}
