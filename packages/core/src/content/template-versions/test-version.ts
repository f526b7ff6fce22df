import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { findSendingWorkspace } from "../../mail/acceptance/find-sending-workspace.ts";
import { checkDraft } from "../../mail/submission/checks.ts";
import { createDraft } from "../../mail/submission/email-draft.ts";
import { plainFields } from "../../mail/submission/plain-fields.ts";
import { mailbox, mailboxes, refineSend, whenFieldsAreValid } from "../../mail/submission/send-fields.ts";
import { senderRefusals } from "../../mail/submission/send-refusals.ts";
import { type SentEmail, submitEmail } from "../../mail/submission/submit-email.ts";
import { templateDataField } from "../template-data-field.ts";

/**
 * Sends a version, active or not, to the given addresses. The e-mail is marked as a test, and counts towards the quota
 * (decisions §5).
 */
export const testVersion = useCase({
  access: "emails:test",
  refusals: [
    ...senderRefusals,
    "all_recipients_suppressed",
    "no_smtp_server",
    "rate_limited",
    "template_render_failed",
  ],
  reads: true,
  input: z
    .strictObject({
      templateId: uuidField.describe("The template's id, a UUID."),
      versionId: uuidField.describe("The version's id, a UUID."),
      to: z
        .union([mailbox.transform((one) => [one]), mailboxes.min(1).max(50)])
        .describe("Recipients of the test: one address, or at most 50."),
      templateData: templateDataField
        .optional()
        .describe(
          "Values for the placeholders, at most 256 KiB as JSON. Default: the version's sample data.",
        ),
    })
    .superRefine(({ to }, context) => refineSend({ to, cc: [], bcc: [] }, context), whenFieldsAreValid),
  async run(context, { templateId, versionId, to, templateData }): Promise<SentEmail> {
    const workspaceId = context.workspace.id;
    const [workspace, template, version] = await Promise.all([
      findSendingWorkspace(context),
      context.storage.templates.find(workspaceId, templateId),
      context.storage.templates.findVersion(workspaceId, templateId, versionId),
    ]);
    if (template === undefined || version === undefined)
      throw new ServiceError("not_found", { message: "There is no such template version." });
    const source = {
      kind: "version",
      version: { templateName: template.name, versionId, ...version },
      data: templateData ?? version.sampleData,
      allowMissing: true,
      subject: undefined,
    } as const;
    const draft = createDraft(context, workspace, source, plainFields(to), { isTest: true });
    await checkDraft(draft, context);
    return submitEmail(context, draft, {});
  },
});
