import type { Compositions, StoredText } from "../../content/compositions.ts";
import { compileTemplate } from "../../content/rendering/compile-template.ts";
import { createRenderBudget, type RenderBudget } from "../../content/rendering/render-budget.ts";
import { TemplateLimitError, TemplateSyntaxError } from "../../content/rendering/template-errors.ts";
import { fieldError, ServiceError } from "../../errors.ts";

/**
 * Renders a content with a caller's data at acceptance: its subject, or the caller's own. Throws `template_data_missing` with every
 * placeholder that has no value unless that is allowed, `template_render_failed` past a limit, and `validation_failed` for a bad subject.
 */
export async function renderDraft(
  compositions: Compositions,
  content: StoredText,
  request: { data: Record<string, unknown>; allowMissing: boolean; subject: string | undefined },
): Promise<{ subject: string }> {
  const draft = await compositions.draft(content);
  if (draft === undefined) throw new ServiceError("not_found", { message: "The version's content is gone." });
  try {
    const budget = createRenderBudget();
    const own = renderSubject(request, budget);
    const rendered = draft.examine(request.data, budget);
    // The version's subject is not rendered where the caller gives another.
    const missing = own ? [...new Set([...own.missing, ...rendered.missingInBody])] : rendered.missing;
    if (missing.length > 0 && !request.allowMissing) {
      throw new ServiceError("template_data_missing", {
        message: `Placeholders without a value: ${enumerate(missing)}.`,
        details: { missing },
      });
    }
    return { subject: own?.output ?? rendered.subject };
  } catch (error) {
    if (error instanceof TemplateSyntaxError) throw fieldError("subject", error.message);
    if (error instanceof TemplateLimitError) {
      throw new ServiceError("template_render_failed", { message: error.message, cause: error });
    }
    throw error;
  }
}

function renderSubject(
  { subject, data }: { subject: string | undefined; data: Record<string, unknown> },
  budget: RenderBudget,
) {
  if (subject === undefined) return undefined;
  return compileTemplate(subject, { escape: "none", singleLine: true }).render(data, budget);
}

/** The first names, in a sentence: the details have them all. */
function enumerate(names: string[]): string {
  const first = names.slice(0, 20).join(", ");
  return names.length > 20 ? `${first} and ${names.length - 20} more` : first;
}
