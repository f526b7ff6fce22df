import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { mailbox, refineSend, whenFieldsAreValid } from "../../mail/emails/email-fields.ts";
import { findSender } from "../../mail/submission/find-sender.ts";
import { orderEmail } from "../../mail/submission/order-email.ts";
import { renderDraft } from "../../mail/submission/render-draft.ts";
import { templateDataField } from "../template-data-field.ts";

/** Sends a version, active or not, to the given addresses: marked as a test, and counted against the quota (decisions §5). */
export const testVersion = useCase({
  access: "emails:test",
  reads: true,
  input: z
    .strictObject({
      templateId: z.uuid().describe("The template's id, a UUID."),
      versionId: z.uuid().describe("The version's id, a UUID."),
      to: z
        .union([mailbox.transform((one) => [one]), z.array(mailbox).min(1).max(50)])
        .describe("Whom the test goes to: one address, or at most 50."),
      templateData: templateDataField
        .optional()
        .describe(
          "A value for each placeholder, at most 256 KiB as JSON. Default: the version's sample data.",
        ),
    })
    .superRefine(({ to }, context) => refineSend({ to, cc: [], bcc: [] }, context), whenFieldsAreValid),
  async run(context, { templateId, versionId, to, templateData }) {
    const workspaceId = context.workspace.id;
    const [sending, template, version] = await Promise.all([
      context.sending.lookups.findSendingContext(workspaceId),
      context.storage.templates.find(workspaceId, templateId),
      context.storage.templates.findVersion(workspaceId, templateId, versionId),
    ]);
    if (sending === undefined || template === undefined || version === undefined)
      throw new ServiceError("not_found");
    const data = templateData ?? version.sampleData;
    const { subject } = await renderDraft(
      context.sending.compositions,
      { id: version.contentId, hash: version.contentHash },
      {
        data,
        allowMissing: true,
        subject: undefined,
      },
    );
    return orderEmail(context, sending, {
      template: { name: template.name, versionId },
      content: version.contentId,
      stylesheetSetId: sending.stylesheetSetId,
      subject: `[Test] ${subject}`,
      data,
      smtpServerId: undefined,
      literal: false,
      test: true,
      unsubscription: undefined,
      ...(await findSender(context, undefined, sending)),
      to,
      cc: [],
      bcc: [],
      replyTo: [],
      headers: {},
      tags: [],
      metadata: {},
      scheduledAt: undefined,
      idempotencyKey: undefined,
      input: undefined,
    });
  },
});
