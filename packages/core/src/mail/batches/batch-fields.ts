import { z } from "zod";
import { type Faults, refining } from "../../calls/input/refining.ts";
import { unreadItems } from "../../calls/input/unread-items.ts";
import { templateDataField } from "../../content/template-data-field.ts";
import { templateFields } from "../emails/send-template.ts";
import {
  bodyField,
  callOptions,
  mailbox,
  metadataField,
  recipientFields,
  refineSend,
  refineTracking,
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
  .describe("A key of your own for the item, at most 255 characters; the answer repeats it.");

const given = {
  template: templateFields.template.optional(),
  templateVersionId: templateFields.templateVersionId,
  allowMissing: templateFields.allowMissing,
  templateData: templateFields.templateData,
  subject: subjectField
    .optional()
    .describe(
      "The subject; with a template it replaces the template's subject and is rendered in the same way.",
    ),
  html: bodyField.optional().describe("The html part, instead of a template; sent unchanged, at most 2 MiB."),
  text: bodyField.optional().describe("The text part, instead of a template; sent unchanged, at most 2 MiB."),
};

/** One recipient of a batch in which all e-mails have the same content. */
export const recipientItem = z.strictObject({
  to: mailbox.describe("The recipient of a separate e-mail, `a@b.example` or `Name <a@b.example>`."),
  templateData: templateDataField
    .default({})
    .describe(
      "Values for this recipient, which override shared values of the same name; at most 256 KiB as JSON.",
    ),
  tags: tagsField.optional().describe("Tags for this recipient, instead of the shared ones."),
  metadata: metadataField
    .optional()
    .describe("Metadata for this recipient, instead of the shared one; at most 4 KiB as JSON."),
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
  tracking: sendOptions.tracking,
  smtpServerId: sendOptions.smtpServerId,
  deliverBefore: sendOptions.deliverBefore,
  priority: plain(sendOptions.priority),
  sensitive: plain(sendOptions.sensitive),
};

const batchFields = z
  .strictObject({
    recipients: unreadItems(recipientItem)
      .meta({ minItems: 1 })
      .optional()
      .describe(
        "Recipients, each of whom gets a separate e-mail; alternatively, give emails. At most the plan's `max_batch_size`, and 10,000.",
      ),
    ...shared,
    allowDuplicates: z
      .boolean()
      .optional()
      .describe("Whether an address may occur more than once among the recipients. Default false."),
    emails: unreadItems(emailItem)
      .meta({ minItems: 1 })
      .optional()
      .describe(
        "E-mails that differ, instead of recipients; each with all fields of a send except `when_limited`.",
      ),
    onInvalid: z
      .enum(["refuse", "skip"])
      .default("refuse")
      .describe(
        "What to do if some e-mails can't be accepted: refuse the whole batch, or skip those e-mails. Default refuse.",
      ),
    ...callOptions,
  })
  .superRefine(refineBatch, whenFieldsAreValid);

// Recipients or e-mails.
export const batchInput = batchFields.meta({ minProperties: 1 });

/** A batch as requested; its items are not parsed yet. */
export type BatchRequest = z.output<typeof batchFields>;
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
    if (!hasBody) fault("template", "is required unless subject is given with html or text");
    else if (subject === undefined) fault("subject", "is required");
    if (templateVersionId !== undefined) fault("templateVersionId", "needs a template");
    if (Object.keys(templateData).length > 0) fault("templateData", "needs a template");
  } else if (hasBody) fault("template", "is given together with a content of its own");
}

function refineBatch(request: BatchRequest, context: z.core.$RefinementCtx): void {
  const { recipients, emails, headers = {}, templateData = {}, unsubscribe } = request;
  const fault = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (recipients === undefined && emails === undefined)
    fault("recipients", "is required unless emails is given");
  if ((recipients ?? emails)?.length === 0)
    fault(recipients === undefined ? "emails" : "recipients", "needs at least one");
  if (emails !== undefined) {
    if (recipients !== undefined) fault("recipients", "is given together with emails");
    for (const name of [...Object.keys(shared), "allowDuplicates"] as (keyof BatchRequest)[])
      if (request[name] !== undefined)
        fault(name, "can only be given with recipients: each of emails has its own");
    return;
  }
  if (recipients === undefined) return;
  refineContent(request, context);
  refineTracking(request, context);
  if (unsubscribe !== undefined)
    refineUnsubscribe({ to: [], cc: [], bcc: [], headers, templateData, unsubscribe }, context);
}
