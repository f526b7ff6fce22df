import { z } from "zod";
import { existingName } from "../../calls/input/name-field.ts";
import { refining } from "../../calls/input/refining.ts";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { type ReadContext, useCase } from "../../calls/use-case.ts";
import { templateDataField } from "../../content/template-data-field.ts";
import { findSendingWorkspace } from "../acceptance/find-sending-workspace.ts";
import { answerOnce } from "../submission/answer-once.ts";
import { askSuppressed } from "../submission/checks/check-suppressions.ts";
import { checkDraft } from "../submission/checks.ts";
import { createDraft, type EmailDraft } from "../submission/email-draft.ts";
import { findVersionSource } from "../submission/find-version-source.ts";
import {
  callOptions,
  recipientFields,
  refineSend,
  sendOptions,
  subjectField,
  whenFieldsAreValid,
} from "../submission/send-fields.ts";
import { sendRefusals, templateRefusals } from "../submission/send-refusals.ts";
import { type SentEmail, submitEmail } from "../submission/submit-email.ts";
import { type DryRun, tryEmail } from "../submission/try-email.ts";

/** Fields for a template of the workspace and its values. */
export const templateFields = {
  template: existingName.describe("The template's name."),
  templateData: templateDataField
    .default({})
    .describe("A value for each placeholder, at most 256 KiB as JSON."),
  templateVersionId: uuidField
    .optional()
    .describe("A version of the template, active or not. Default: the active one."),
  allowMissing: z
    .boolean()
    .default(false)
    .describe(
      "Whether placeholders without a value render as nothing instead of refusing the send. Default false.",
    ),
};

const { template, ...filling } = templateFields;
const input = z
  .strictObject({
    template,
    ...recipientFields,
    ...filling,
    subject: subjectField
      .optional()
      .describe(
        "Replaces the template's subject and is rendered in the same way; at most 998 characters on one line.",
      ),
    ...sendOptions,
    ...callOptions,
  })
  .check(refining(refineSend, whenFieldsAreValid));

/**
 * Accepts an e-mail from a template's active version (service.md, Sending with a template; decisions §7). Once the call
 * returns, the e-mail is stored; started services, workers among them, deliver it.
 */
export const sendTemplate = useCase({
  access: "api_key",
  refusals: [...sendRefusals, ...templateRefusals],
  reads: true,
  confirmsCaller: true,
  input,
  run: (context, request): Promise<SentEmail> =>
    answerOnce(context, request, async (on) => submitEmail(on, await draft(on, request), request)),
});

/** Returns what `sendTemplate` would answer, with all reasons for a refusal. Stores nothing. */
export const dryRunSendTemplate = useCase({
  access: "api_key",
  reads: true,
  input,
  run: async (context, request): Promise<DryRun> => tryEmail(context, await draft(context, request), request),
});

async function draft(context: ReadContext<"api_key">, request: z.output<typeof input>): Promise<EmailDraft> {
  const { template, templateData, templateVersionId, allowMissing, subject } = request;
  const suppressed = askSuppressed(context, request);
  const [workspace, source] = await Promise.all([
    findSendingWorkspace(context),
    findVersionSource(context, { template, templateVersionId, data: templateData, allowMissing, subject }),
  ]);
  const drafted = createDraft(context, workspace, source, request, { suppressed });
  await checkDraft(drafted, context);
  return drafted;
}
