import type { Composition } from "../../../content/composition.ts";
import { compileTemplate } from "../../../content/rendering/compile-template.ts";
import { createRenderBudget, type RenderBudget } from "../../../content/rendering/render-budget.ts";
import { TemplateLimitError, TemplateSyntaxError } from "../../../content/rendering/template-errors.ts";
import { maxRenderedSubject } from "../../../content/rendering/template-limits.ts";
import { fieldError, ServiceError } from "../../../errors.ts";
import { firstWithin } from "../../../rules/first-within.ts";
import type { Check, DraftSource, EmailDraft } from "../email-draft.ts";
import { withLink } from "../open-unsubscription.ts";

/**
 * Checks the content: whether it exists, and renders with the data. Finds the subject and every placeholder without a
 * value, which `template_data_missing` reports unless missing values are allowed.
 */
export const checkContent: Check = (draft, context) => {
  const { source, reasons } = draft;
  if (source.kind === "missing") {
    reasons.push(source.reason);
    return;
  }
  if (source.kind === "literal") {
    draft.subject = titleOf(draft, source.content.subject);
    return;
  }
  const { contentId: id, contentHash: hash } = source.version;
  const composition = context.acceptance.contentCache.draft({ id, hash });
  const examine = (found: Composition | undefined): void | Promise<void> => {
    const turn = (found?.lastWork() ?? 0) > muchWork ? context.yieldThread() : undefined;
    return turn === undefined ? render(draft, source, found) : turn.then(() => render(draft, source, found));
  };
  return composition instanceof Promise ? composition.then(examine) : examine(composition);
};

/**
 * Steps of rendering, some 1 ms, from which on a content waits for the workspace's turn at its next send: forty at once
 * would hold the thread for half a second.
 */
const muchWork = 50_000;

const titleOf = ({ isTest }: EmailDraft, subject: string): string => (isTest ? `[Test] ${subject}` : subject);

function render(
  draft: EmailDraft,
  source: Extract<DraftSource, { kind: "version" }>,
  composition: Composition | undefined,
): void {
  const { allowMissing } = source;
  const data = withLink(source.data, draft.unsubscribe);
  if (composition === undefined) {
    draft.reasons.push(new ServiceError("not_found", { message: "The version's content was removed." }));
    return;
  }
  try {
    const budget = createRenderBudget();
    const own = renderSubject({ subject: source.subject, data }, budget);
    const rendered = composition.examine(data, budget);
    // The version's subject is not rendered if the caller gives another.
    draft.missing = own ? [...new Set([...own.missing, ...rendered.missingInBody])] : rendered.missing;
    const subject = own?.output ?? rendered.subject;
    draft.subject = titleOf(draft, subject);
    if (subject.length > maxRenderedSubject) draft.reasons.push(subjectTooLong(subject));
    if (draft.missing.length > 0 && !allowMissing)
      draft.reasons.push(
        new ServiceError("template_data_missing", {
          message: `Placeholders without a value: ${enumerate(draft.missing)}.`,
          details: { missing: draft.missing },
        }),
      );
  } catch (error) {
    draft.reasons.push(refusalOf(error));
  }
}

const subjectTooLong = ({ length }: string): ServiceError =>
  new ServiceError("template_render_failed", {
    message: `The rendered subject has ${length} characters: at most ${maxRenderedSubject} are allowed.`,
  });

/** Makes the refusal for a template that can't be rendered; other errors are rethrown. */
function refusalOf(error: unknown): ServiceError {
  if (error instanceof TemplateSyntaxError) return fieldError("subject", error.message);
  if (error instanceof TemplateLimitError)
    return new ServiceError("template_render_failed", { message: error.message, cause: error });
  throw error;
}

function renderSubject(
  { subject, data }: { subject: string | undefined; data: Record<string, unknown> },
  budget: RenderBudget,
) {
  if (subject === undefined) return undefined;
  return compileTemplate(subject, { escape: "none", singleLine: true }).render(data, budget);
}

/** Lists the first names in a sentence; the details have them all. */
function enumerate(names: string[]): string {
  const first = firstWithin(names.slice(0, 20), 500);
  const told = first.join(", ");
  return names.length > first.length ? `${told} and ${names.length - first.length} more` : told;
}
