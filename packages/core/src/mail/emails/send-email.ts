import { z } from "zod";
import type { ReadContext } from "../../calls/use-case.ts";
import { useCase } from "../../calls/use-case.ts";
import { fieldError, ServiceError } from "../../errors.ts";
import { findSender } from "../submission/find-sender.ts";
import { openUnsubscription } from "../submission/open-unsubscription.ts";
import { orFirstAnswer } from "../submission/or-first-answer.ts";
import { orderEmail } from "../submission/order-email.ts";
import {
  recipientFields,
  refineSend,
  scheduleFault,
  sendOptions,
  subjectField,
  whenFieldsAreValid,
} from "./email-fields.ts";
import type { EmailView } from "./email-view.ts";

const body = z
  .string()
  .max(2 * 1024 * 1024, "is longer than 2 MiB")
  .default("");

const input = z
  .strictObject({
    subject: subjectField.describe("The subject as it stands; at most 998 characters on one line."),
    html: body.describe(
      "The html part as it stands, at most 2 MiB. At least one of html and text is needed.",
    ),
    text: body.describe("The text part as it stands, at most 2 MiB."),
    ...recipientFields,
    ...sendOptions,
  })
  .superRefine(refineSend, whenFieldsAreValid)
  .refine(({ html, text }) => html !== "" || text !== "", {
    path: ["html"],
    message: "or text must be given",
    ...whenFieldsAreValid,
  });

/** Accepts an e-mail whose content is given as it stands (decisions §7). */
export const sendEmail = useCase({
  access: "api_key",
  reads: true,
  input,
  run: (context, request) => orFirstAnswer(context, request, () => send(context, request)),
});

async function send(context: ReadContext<"api_key">, request: z.output<typeof input>): Promise<EmailView> {
  const fault = scheduleFault(request.scheduledAt, context.now);
  if (fault !== undefined) throw fieldError("scheduledAt", fault);
  const sending = await context.sending.lookups.findSendingContext(context.workspace.id);
  if (sending === undefined) throw new ServiceError("not_found", { message: "There is no such workspace." });
  const { subject, html, text, unsubscribe: _, ...options } = request;
  return orderEmail(context, sending, {
    ...options,
    template: undefined,
    content: { subject, html, text },
    stylesheetSetId: undefined,
    subject,
    data: {},
    literal: true,
    test: false,
    unsubscription: openUnsubscription(context, sending.workspaceId, request),
    smtpServerId: request.smtpServerId,
    ...(await findSender(context, request.from, sending)),
    scheduledAt: request.scheduledAt,
    idempotencyKey: request.idempotencyKey,
    input: request,
  });
}
