import { z } from "zod";
import { type Faults, refining } from "../../calls/refining.ts";
import { unreadItems } from "../../calls/unread-items.ts";
import { templateDataField } from "../../content/template-data-field.ts";
import { templateFields } from "../emails/send-template.ts";
import {
  bodyField,
  callOptions,
  mailbox,
  metadataField,
  recipientFields,
  refineSend,
  refineUnsubscribe,
  sendOptions,
  subjectField,
  tagsField,
  whenFieldsAreValid,
} from "../submission/send-fields.ts";

const keyField = subjectField
  .min(1)
  .max(255)
  .optional()
  .describe("What you call it, at most 255 characters: the answer says it again.");

const given = {
  template: templateFields.template.optional(),
  templateVersionId: templateFields.templateVersionId,
  allowMissing: templateFields.allowMissing,
  templateData: templateFields.templateData,
  subject: subjectField
    .optional()
    .describe("The subject; of a template, in place of its own and rendered likewise."),
  html: bodyField.optional().describe("In place of a template, the html part as it stands, at most 2 MiB."),
  text: bodyField.optional().describe("In place of a template, the text part as it stands, at most 2 MiB."),
};

/** One recipient of a batch in which all e-mails have the same content. */
export const recipientItem = z.strictObject({
  to: mailbox.describe("The recipient, `a@b.example` or `Name <a@b.example>`: an e-mail of its own."),
  templateData: templateDataField
    .default({})
    .describe("Values for this recipient, put over the shared ones name by name; at most 256 KiB as JSON."),
  tags: tagsField.optional().describe("In place of the shared tags."),
  metadata: metadataField.optional().describe("In place of the shared metadata, at most 4 KiB as JSON."),
  dedupeKey: sendOptions.dedupeKey,
  key: keyField,
});

/** One e-mail of a batch whose e-mails differ: the fields of `send` or `sendTemplate`. */
export const emailItem = z
  .strictObject({ ...given, ...recipientFields, ...sendOptions, key: keyField })
  .check(refining(refineSend, whenFieldsAreValid), refining(refineContent, whenFieldsAreValid));

const plain = <S extends z.ZodType>(field: z.ZodDefault<S>) =>
  (field.unwrap() as S).optional().describe(field.description ?? "");

/** Fields shared by all e-mails of a batch, as given. */
const shared = {
  ...given,
  allowMissing: plain(given.allowMissing),
  templateData: plain(given.templateData),
  from: sendOptions.from,
  sender: sendOptions.sender,
  calendar: sendOptions.calendar,
  replyTo: plain(sendOptions.replyTo),
  headers: plain(sendOptions.headers),
  tags: plain(sendOptions.tags),
  metadata: plain(sendOptions.metadata),
  attachments: plain(sendOptions.attachments),
  scheduledAt: sendOptions.scheduledAt,
  unsubscribe: sendOptions.unsubscribe,
  smtpServerId: sendOptions.smtpServerId,
  deliverBefore: sendOptions.deliverBefore,
  priority: plain(sendOptions.priority),
  sensitive: plain(sendOptions.sensitive),
};

export const batchInput = z
  .strictObject({
    recipients: unreadItems(recipientItem)
      .optional()
      .describe("Who gets an e-mail each; or give emails. At most the plan's `max_batch_size`, and 10,000."),
    ...shared,
    allowDuplicates: z
      .boolean()
      .optional()
      .describe("Whether one address may be among the recipients more than once. Default false."),
    emails: unreadItems(emailItem)
      .optional()
      .describe(
        "In place of recipients: e-mails that differ, each with all fields of a send but `when_limited`.",
      ),
    onInvalid: z
      .enum(["refuse", "skip"])
      .default("refuse")
      .describe(
        "What becomes of a batch in which some e-mails can't be accepted: nothing of it is, or those are left out. Default refuse.",
      ),
    ...callOptions,
  })
  .superRefine(refineBatch, whenFieldsAreValid);

/** A batch as requested; its items are not parsed yet. */
export type BatchRequest = z.output<typeof batchInput>;
/** Fields shared by the e-mails of a batch. */
export type SharedFields = Pick<BatchRequest, keyof typeof shared>;

type Content = Pick<
  SharedFields,
  "template" | "templateVersionId" | "templateData" | "subject" | "html" | "text"
>;

/** Accepts either a template, or a subject with html or text. */
function refineContent(
  { template, templateVersionId, templateData = {}, subject, html = "", text = "" }: Content,
  context: Faults,
): void {
  const fault = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  const hasBody = html !== "" || text !== "";
  if (template === undefined) {
    if (!hasBody) fault("template", "or subject with html or text must be given");
    else if (subject === undefined) fault("subject", "is required");
    if (templateVersionId !== undefined) fault("templateVersionId", "needs a template");
    if (Object.keys(templateData).length > 0) fault("templateData", "needs a template");
  } else if (hasBody) fault("template", "is given together with a content of its own");
}

function refineBatch(request: BatchRequest, context: z.core.$RefinementCtx): void {
  const { recipients, emails, headers = {}, templateData = {}, unsubscribe } = request;
  const fault = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (recipients === undefined && emails === undefined) fault("recipients", "or emails must be given");
  if ((recipients ?? emails)?.length === 0)
    fault(recipients === undefined ? "emails" : "recipients", "needs at least one");
  if (emails !== undefined) {
    if (recipients !== undefined) fault("recipients", "is given together with emails");
    for (const name of [...Object.keys(shared), "allowDuplicates"] as (keyof BatchRequest)[])
      if (request[name] !== undefined) fault(name, "goes with recipients: each of emails has its own");
    return;
  }
  if (recipients === undefined) return;
  refineContent(request, context);
  if (unsubscribe !== undefined)
    refineUnsubscribe({ to: [], cc: [], bcc: [], headers, templateData, unsubscribe }, context);
}
