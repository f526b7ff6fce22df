import { z } from "zod";
import { existingName, nameField } from "../../calls/input/name-field.ts";
import { timeField } from "../../calls/input/time-fields.ts";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { templateDataField } from "../../content/template-data-field.ts";
import { contentFields } from "../../content/templates/content-fields.ts";
import type { CampaignPlan, CampaignStatus } from "../../ports/storage.ts";
import { listField } from "../../suppressions/list-field.ts";
import { attachmentsField } from "../attachments/attachment-fields.ts";
import { mailbox, refineUnsubscribe, sendOptions } from "../submission/send-fields.ts";

export const campaignId = z.int().positive().describe("The campaign's id.");

export const campaignStatuses = [
  "draft",
  "scheduled",
  "running",
  "paused",
  "completed",
  "cancelled",
] as const satisfies readonly CampaignStatus[];

/** A recipient on the list, with their own values. */
const recipient = z
  .strictObject({
    to: mailbox
      .optional()
      .describe("The recipient, `a@b.example` or `Name <a@b.example>`. Required, unless email is given."),
    email: mailbox.optional().describe("The same as to, by the name that lists and CSV files have for it."),
    templateData: templateDataField
      .optional()
      .describe("Values for the placeholders, at most 256 KiB as JSON."),
  })
  .transform(({ to, email, templateData }, context) => {
    const given = to ?? email;
    if (given === undefined) context.addIssue({ code: "custom", path: ["to"], message: "is required" });
    else if (to !== undefined && email !== undefined)
      context.addIssue({ code: "custom", path: ["email"], message: "is given besides to" });
    else return { to: given, templateData };
    return z.NEVER;
  });

/** Input field with recipients, of limited length; the list itself may have any length. */
export const recipientsField = z
  .array(recipient)
  .max(10_000, "takes at most 10,000 recipients at a time")
  .describe("At most 10,000 recipients at a time; those already on the list stay unchanged.");

const pace = z
  .strictObject({
    perSecond: z
      .number()
      .min(0.001, "must be 0.001 to 1000")
      .max(1_000, "must be 0.001 to 1000")
      .optional()
      .describe("E-mails per second, 0.001 to 1,000."),
    perHour: z.int().positive().max(3_600_000).optional().describe("E-mails per hour, at most 3,600,000."),
  })
  .describe("Maximum pace. Default: as fast as the servers and the plan allow.");

const ramp = z
  .strictObject({
    first: z.int().positive().max(1_000_000).describe("E-mails in the first hour or day."),
    factor: z
      .number()
      .min(1)
      .max(100)
      .describe("Factor by which the number grows in each following hour or day."),
    every: z.enum(["hour", "day"]).describe("The step: an hour or a day."),
  })
  .describe("A slow start, for senders without a reputation.");

export const onMissingField = z.enum(["skip", "stop"]);

const rate = z.number().min(0).max(1);
const autoPause = z
  .strictObject({
    bounceRate: rate.default(0.05).describe("Share of bounced e-mails, 0 to 1. Default 0.05."),
    complaintRate: rate.default(0.003).describe("Share of complaints, 0 to 1. Default 0.003."),
    after: z
      .int()
      .positive()
      .default(200)
      .describe("E-mails to send before bounces and complaints are checked. Default 200."),
  })
  .describe("Pauses the campaign automatically if the share of bounces or complaints is higher.");

/** Fields of a campaign that can be changed until it starts. */
export const planFields = {
  name: nameField.describe("The campaign's name, 1 to 100 characters on one line."),
  template: existingName
    .optional()
    .describe(
      "The template's name; alternatively, give subject, html and text. A change without any of them keeps the content.",
    ),
  templateVersionId: uuidField
    .optional()
    .describe("A version of the template. Default: the one that is active when it starts."),
  subject: contentFields.subject,
  html: contentFields.html,
  text: contentFields.text,
  from: sendOptions.from,
  replyTo: sendOptions.replyTo,
  headers: sendOptions.headers,
  tags: sendOptions.tags,
  metadata: sendOptions.metadata,
  attachments: attachmentsField
    .unwrap()
    .optional()
    .describe(
      "At most 20 files for each of its e-mails, within the request or by the id of an upload. The plan limits the size of each, the server the total (25 MB). Default: none; a change without it keeps the files.",
    ),
  unsubscribe: z
    .union([
      z.strictObject({
        list: listField.describe("The list: 1 to 64 lower-case letters, digits and hyphens."),
      }),
      z.literal(false),
    ])
    .default(false)
    .describe(
      "Lets each recipient unsubscribe from a list with one click, by a header and by `{{unsubscribe_url}}` in the template. Default: false, for mail that belongs to no list.",
    ),
  tracking: sendOptions.tracking,
  scheduledAt: timeField
    .optional()
    .describe("Time at which a started campaign begins, ISO 8601 with an offset. Default: at once."),
  pace: pace.optional(),
  ramp: ramp.optional(),
  onMissing: onMissingField
    .default("skip")
    .describe(
      "What to do with recipients without a value for a placeholder: skip them, or pause the campaign.",
    ),
  autoPause: autoPause.optional(),
};

const input = z.strictObject(planFields);
type Given = z.output<typeof input>;

/** Picks the fields that are stored as the campaign's plan. */
export const planOf = (given: Given): CampaignPlan => ({
  replyTo: given.replyTo,
  headers: given.headers,
  tags: given.tags,
  metadata: given.metadata,
  unsubscribeList: given.unsubscribe === false ? undefined : given.unsubscribe.list,
  tracking: given.tracking,
  pace: { perSecond: given.pace?.perSecond, perHour: given.pace?.perHour },
  ramp: given.ramp,
  onMissing: given.onMissing,
  autoPause: given.autoPause ?? autoPause.parse({}),
});

type GivenContent = Partial<Pick<Given, "template" | "subject" | "html" | "text">>;

/** Whether the fields give a content: a template, or one of the campaign's own. */
export const hasContent = ({ template, subject, html, text }: GivenContent): boolean =>
  [template, subject, html, text].some((part) => part !== undefined);

type Compared = GivenContent & Pick<Given, "headers" | "unsubscribe" | "templateVersionId">;

/** Accepts either a template or a content of its own; a new campaign needs one of them. */
export function refineNewCampaign(given: Compared, context: z.core.$RefinementCtx): void {
  refineCampaign(given, context);
  if (!hasContent(given))
    context.addIssue({
      code: "custom",
      path: ["template"],
      message: "is required unless subject is given with html or text",
    });
}

/** Accepts a template or a content of its own, but not both, and no header fields that the service writes itself. */
export function refineCampaign(given: Compared, context: z.core.$RefinementCtx): void {
  const { template, templateVersionId, subject, html, text, headers, unsubscribe } = given;
  const fault = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (template !== undefined && hasContent({ subject, html, text }))
    fault("template", "is given together with a content of its own");
  if (template === undefined && templateVersionId !== undefined)
    fault("templateVersionId", "needs a template");
  if (unsubscribe !== false) refineUnsubscribe({ to: [], cc: [], bcc: [], headers }, context);
}
