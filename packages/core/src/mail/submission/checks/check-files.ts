import type { ReadContext } from "../../../calls/use-case.ts";
import { fieldError } from "../../../errors.ts";
import { chooseFiles } from "../../attachments/choose-files.ts";
import type { Check, EmailDraft } from "../email-draft.ts";

/**
 * Checks the files: whether they exist, and whether plan and server allow their size (platform.md P3). Stores nothing
 * yet.
 */
export const checkFiles: Check = (draft, context) => {
  if (draft.fields.attachments.length > 0) return choose(draft, context);
};

async function choose(draft: EmailDraft, context: Parameters<Check>[1]): Promise<void> {
  const { attachments, sensitive } = draft.fields;
  const isReferredTo = attachments.some(({ contentId }) => contentId !== undefined);
  const hasHtml = isReferredTo && (await holdsHtml(draft, context));
  const { reasons, ...files } = await chooseFiles(context, draft.workspace, {
    attachments,
    hasHtml,
    isSensitive: sensitive,
  });
  draft.files = files;
  draft.reasons.push(...reasons);
  const upload = attachments.findIndex(({ id }) => id !== undefined);
  if (sensitive && upload >= 0)
    draft.reasons.push(
      fieldError(
        `attachments.${upload}.id`,
        "can't be combined with sensitive, because uploads are not encrypted: give the file's content",
      ),
    );
}

async function holdsHtml(
  { source }: EmailDraft,
  { acceptance }: Pick<ReadContext, "acceptance">,
): Promise<boolean> {
  if (source.kind === "literal") return source.content.html !== "";
  // A missing content has a reason of its own.
  if (source.kind === "missing") return true;
  const { contentId: id, contentHash: hash } = source.version;
  return (await acceptance.contentCache.draft({ id, hash }))?.hasHtml ?? true;
}
