import { z } from "zod";
import { refining } from "../../calls/input/refining.ts";
import { type ReadContext, useCase } from "../../calls/use-case.ts";
import { findSendingWorkspace } from "../acceptance/find-sending-workspace.ts";
import { answerOnce } from "../submission/answer-once.ts";
import { askSuppressed } from "../submission/checks/check-suppressions.ts";
import { checkDraft } from "../submission/checks.ts";
import { createDraft, type EmailDraft } from "../submission/email-draft.ts";
import {
  bodyField,
  callOptions,
  recipientFields,
  refineSend,
  sendOptions,
  subjectField,
  whenFieldsAreValid,
} from "../submission/send-fields.ts";
import { sendRefusals } from "../submission/send-refusals.ts";
import { type SentEmail, submitEmail } from "../submission/submit-email.ts";
import { type DryRun, tryEmail } from "../submission/try-email.ts";

const input = z
  .strictObject({
    subject: subjectField.describe("The subject, sent unchanged; at most 998 characters on one line."),
    html: bodyField
      .default("")
      .describe("The html part, sent unchanged; at most 2 MiB. At least one of html and text is required."),
    text: bodyField.default("").describe("The text part, sent unchanged; at most 2 MiB."),
    ...recipientFields,
    ...sendOptions,
    ...callOptions,
  })
  .check(refining(refineSend, whenFieldsAreValid))
  .refine(({ html, text }) => html !== "" || text !== "", {
    path: ["html"],
    message: "is required unless text is given",
    ...whenFieldsAreValid,
  });

/**
 * Accepts an e-mail whose content is in the call (decisions §7). Once the call returns, the e-mail is stored; started
 * services, workers among them, deliver it.
 */
export const sendEmail = useCase({
  access: "api_key",
  refusals: sendRefusals,
  reads: true,
  confirmsCaller: true,
  input,
  run: (context, request): Promise<SentEmail> =>
    answerOnce(context, request, async (on) => submitEmail(on, await draft(on, request), request)),
});

/** Returns what `send` would answer, with all reasons for a refusal. Stores nothing. */
export const dryRunSend = useCase({
  access: "api_key",
  reads: true,
  input,
  run: async (context, request): Promise<DryRun> => tryEmail(context, await draft(context, request), request),
});

async function draft(context: ReadContext<"api_key">, request: z.output<typeof input>): Promise<EmailDraft> {
  const { subject, html, text } = request;
  const suppressed = askSuppressed(context, request);
  const workspace = await findSendingWorkspace(context);
  const source = { kind: "literal", content: { subject, html, text } } as const;
  const drafted = createDraft(context, workspace, source, request, { suppressed });
  await checkDraft(drafted, context);
  return drafted;
}
