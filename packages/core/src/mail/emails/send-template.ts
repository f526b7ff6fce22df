import { z } from "zod";
import type { ReadContext } from "../../calls/use-case.ts";
import { useCase } from "../../calls/use-case.ts";
import { templateDataField } from "../../content/template-data-field.ts";
import { fieldError, ServiceError } from "../../errors.ts";
import { unsubscribeUrl } from "../rules/unsubscribe-url.ts";
import { findSender } from "../submission/find-sender.ts";
import { openUnsubscription } from "../submission/open-unsubscription.ts";
import { orFirstAnswer } from "../submission/or-first-answer.ts";
import { orderEmail } from "../submission/order-email.ts";
import { renderDraft } from "../submission/render-draft.ts";
import {
  recipientFields,
  refineSend,
  scheduleFault,
  sendOptions,
  subjectField,
  whenFieldsAreValid,
} from "./email-fields.ts";
import type { EmailView } from "./email-view.ts";

const input = z
  .strictObject({
    template: z.string().min(1).max(100).describe("The template's name."),
    ...recipientFields,
    templateData: templateDataField
      .default({})
      .describe("A value for each placeholder, at most 256 KiB as JSON."),
    templateVersionId: z
      .uuid()
      .optional()
      .describe("A version of the template, active or not. Default: the active one."),
    allowMissing: z
      .boolean()
      .default(false)
      .describe(
        "Whether placeholders without a value render as nothing instead of refusing the send. Default false.",
      ),
    subject: subjectField
      .optional()
      .describe(
        "In place of the template's subject, and rendered likewise; at most 998 characters on one line.",
      ),
    ...sendOptions,
  })
  .superRefine(refineSend, whenFieldsAreValid);

/** Accepts an e-mail made from a template's active version (service.md, Sending with a template; decisions §7). */
export const sendTemplate = useCase({
  access: "api_key",
  reads: true,
  input,
  run: (context, request) => orFirstAnswer(context, request, () => send(context, request)),
});

async function send(context: ReadContext<"api_key">, request: z.output<typeof input>): Promise<EmailView> {
  const workspaceId = context.workspace.id;
  const fault = scheduleFault(request.scheduledAt, context.now);
  if (fault !== undefined) throw fieldError("scheduledAt", fault);
  const [sending, active] = await Promise.all([
    context.sending.lookups.findSendingContext(workspaceId),
    context.sending.lookups.findActiveVersion({ workspaceId, name: request.template }),
  ]);
  if (sending === undefined) throw new ServiceError("not_found", { message: "There is no such workspace." });
  if (active === undefined)
    throw new ServiceError("not_found", { message: `There is no template named ${request.template}.` });
  const version = await pickVersion(context, active, request.templateVersionId);
  const { templateData: data, allowMissing, unsubscribe: _, ...options } = request;
  const unsubscription = openUnsubscription(context, workspaceId, request);
  const { subject } = await renderDraft(
    context.sending.compositions,
    { id: version.contentId, hash: version.contentHash },
    {
      data: unsubscription === undefined ? data : { ...data, [unsubscribeUrl]: unsubscription.url },
      allowMissing,
      subject: request.subject,
    },
  );
  return orderEmail(context, sending, {
    ...options,
    template: { name: request.template, versionId: version.versionId },
    content: version.contentId,
    stylesheetSetId: sending.stylesheetSetId,
    subject,
    data,
    literal: false,
    test: false,
    unsubscription,
    smtpServerId: request.smtpServerId,
    ...(await findSender(context, request.from, sending)),
    scheduledAt: request.scheduledAt,
    idempotencyKey: request.idempotencyKey,
    input: request,
  });
}

async function pickVersion(
  context: ReadContext<"api_key">,
  active: { templateId: string; versionId: string; contentId: number; contentHash: string },
  wanted: string | undefined,
): Promise<{ versionId: string; contentId: number; contentHash: string }> {
  if (wanted === undefined || wanted === active.versionId) return active;
  const version = await context.storage.templates.findVersion(
    context.workspace.id,
    active.templateId,
    wanted,
  );
  if (version === undefined)
    throw new ServiceError("not_found", { message: "The template has no such version." });
  return { versionId: version.id, contentId: version.contentId, contentHash: version.contentHash };
}
