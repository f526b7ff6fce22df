import { z } from "zod";
import { jsonObject } from "../../calls/input/json-object.ts";
import { type Faults, refining, transforming } from "../../calls/input/refining.ts";
import {
  calendarPattern,
  headerPattern,
  linePattern,
  mailboxPattern,
} from "../../calls/input/text-patterns.ts";
import { timeField } from "../../calls/input/time-fields.ts";
import { uuidField } from "../../calls/input/uuid-field.ts";
import type { Mailbox } from "../../ports/mailer.ts";
import { addressKey } from "../../rules/address-key.ts";
import { formatMailbox, parseMailbox, tooLongIn } from "../../rules/addresses.ts";
import { listField } from "../../suppressions/list-field.ts";
import { type RequestedTracking, trackingField } from "../../tracking/tracking-field.ts";
import { attachmentsField } from "../attachments/attachment-fields.ts";
import { longestCalendar, readCalendarObject } from "../rules/calendar-object.ts";
import { headerFault } from "../rules/header-fields.ts";
import { unsubscribeUrl } from "../rules/unsubscribe-url.ts";

/** `a@b` or `Name <a@b>`, exactly one. */
export const mailbox = z
  .string({
    // Other libraries and services take objects.
    error: ({ input }) =>
      input === undefined ? undefined : 'must be a text, such as "a@b.example" or "Name <a@b.example>"',
  })
  .max(998)
  .pipe(
    transforming((text: string, faults): Mailbox => {
      const parsed = parseMailbox(text);
      if (parsed === undefined) {
        faults.addIssue({ code: "custom", message: mailboxFault(text) });
        return z.NEVER;
      }
      return parsed;
    }),
  )
  .meta({ pattern: mailboxPattern });

/** What is wrong with a refused mailbox. A name such as `Acme (Support)` needs no more than its quotes. */
function mailboxFault(text: string): string {
  const tooLong = tooLongIn(/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text.trim());
  if (tooLong !== undefined) return tooLong;
  const [, name = "", address = ""] = /^([^"<>@\\]*)<([^<>]*)>\s*$/.exec(text) ?? [];
  const meant = parseMailbox(`"${name.trim()}" <${address}>`);
  return meant === undefined
    ? 'is not an e-mail address such as "a@b.example" or "Name <a@b.example>"'
    : `has a name with one of (),;:[], which must be in quotes: ${formatMailbox(meant)}`;
}

/** A list of addresses. */
export const mailboxes = z.array(mailbox, {
  error: ({ input }) => (input === undefined ? undefined : 'must be a list, such as ["ada@example.com"]'),
});

const singleLine = z
  .string()
  .max(998)
  .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), "must be a single line without control characters")
  .meta({ pattern: linePattern });

/** What is found again by its text. */
const nameField = singleLine.min(1);

/** A key by which a repetition is recognised. */
const keyField = nameField.max(255);

const headers = z.record(z.string(), z.string().meta({ pattern: headerPattern, maxLength: 995 })).check(
  refining((fields: Record<string, string>, faults) => {
    const names = Object.keys(fields);
    if (names.length > 50) {
      faults.addIssue({ code: "custom", message: "has more than 50 fields" });
      return;
    }
    const seen = new Set<string>();
    for (const name of names) {
      const key = name.toLowerCase();
      const fault = seen.has(key) ? `${name} is given twice` : headerFault(name, fields[name] ?? "");
      if (fault !== undefined) faults.addIssue({ code: "custom", path: [name], message: fault });
      seen.add(key);
    }
  }),
);

export const metadataField = jsonObject(4096, "4 KiB");

const calendar = z
  .string()
  .max(longestCalendar, `is longer than ${longestCalendar} characters`)
  .meta({ pattern: calendarPattern })
  .transform((text, context) => {
    const read = readCalendarObject(text);
    if (typeof read !== "string") return read;
    context.addIssue({ code: "custom", message: read });
    return z.NEVER;
  });

/** Input fields of an e-mail's recipients: all of them see those in `to`. */
export const recipientFields = {
  to: mailboxes
    .min(1, "needs at least one address")
    .max(50, "takes at most 50 addresses")
    .describe("1 to 50 recipients, who see each other: `a@b.example` or `Name <a@b.example>`."),
  cc: mailboxes
    .max(50, "takes at most 50 addresses")
    .default([])
    .describe("At most 50 recipients of a copy, visible to all."),
  bcc: mailboxes
    .max(50, "takes at most 50 addresses")
    .default([])
    .describe("At most 50 recipients of a blind copy, visible to nobody."),
};

export const tagsField = z.array(nameField.max(64)).max(10, "takes at most 10 tags");

/** Options of every e-mail, sent alone or in a batch (decisions §7, platform.md P1). */
export const sendOptions = {
  from: mailbox
    .optional()
    .describe(
      "The sender, `a@b.example` or `Name <a@b.example>`. Default: the workspace's, else the server's.",
    ),
  replyTo: z
    .union([mailbox.transform((one) => [one]), mailboxes.max(10)])
    .default([])
    .describe("Addresses for replies: one, or at most 10."),
  sender: mailbox
    .optional()
    .describe(
      "The sender on behalf of `from`, if it differs: the field Sender (RFC 5322 section 3.6.2). Default: none.",
    ),
  calendar: calendar
    .optional()
    .describe(
      "An iCalendar object with its METHOD, such as an invitation; at most 65,536 characters, sent as an alternative of the text (RFC 6047). Default: none.",
    ),
  headers: headers
    .default({})
    .describe(
      "Additional header fields by name, at most 50; fields that the service writes itself are refused.",
    ),
  tags: tagsField.default([]).describe("At most 10 labels of at most 64 characters, for filters of the log."),
  metadata: metadataField
    .default({})
    .describe("Metadata of your own, at most 4 KiB as JSON; stored with the e-mail and not sent."),
  attachments: attachmentsField,
  scheduledAt: timeField
    .optional()
    .describe("Time to send, ISO 8601 with an offset, at most 30 days ahead. Default: now."),
  unsubscribe: z
    .strictObject({
      list: listField.describe("The list: 1 to 64 lower-case letters, digits and hyphens."),
    })
    .optional()
    .describe(
      "Lets the recipient unsubscribe from a list with one click, by a header and by `{{unsubscribe_url}}` in the template. The e-mail must have exactly one recipient; nothing is sent to one who is unsubscribed. Default: mail that belongs to no list.",
    ),
  tracking: trackingField,
  smtpServerId: uuidField
    .optional()
    .describe(
      "Id, a UUID, of the workspace's mail server to use; no other one is tried. Default: chosen by the sender's domain.",
    ),
  deliverBefore: timeField
    .optional()
    .describe(
      "Deadline, ISO 8601 with an offset, at most 30 days after the time to send: after it no attempt begins, and the e-mail fails as `expired`.",
    ),
  priority: z
    .enum(["high", "normal", "low"])
    .default("normal")
    .describe("Priority among waiting e-mails. Default normal."),
  sensitive: z
    .boolean()
    .default(false)
    .describe(
      "Whether subject, bodies and template data are stored encrypted, and removed once the e-mail is settled; the log shows an empty subject. Default false.",
    ),
  dedupeKey: keyField
    .optional()
    .describe(
      "A key under which the workspace sends only one e-mail, ever: any later send with the key, even with other content, is answered with the first e-mail.",
    ),
};

/** Options of a sending call. */
export const callOptions = {
  whenLimited: z
    .enum(["refuse", "defer"])
    .default("refuse")
    .describe(
      "What to do above the plan's hourly or daily limit: refuse, or defer to the first hour with room, at most 30 days ahead. Default refuse.",
    ),
  idempotencyKey: keyField
    .optional()
    .describe(
      "A repeated call with the same key and fields gets the first answer, for 24 h; over HTTP the header `Idempotency-Key`.",
    ),
};

export const subjectField = singleLine;

/** A literal part of an e-mail. */
export const bodyField = z.string().max(2 * 1024 * 1024, "is longer than 2 MiB");

/** Parsed recipients and options of one e-mail. */
export type SendFields = z.output<z.ZodObject<typeof recipientFields & typeof sendOptions>>;

/**
 * Condition for a refinement that compares fields: it runs only if each of them is valid, as zod otherwise passes
 * refused values on.
 */
export const whenFieldsAreValid = { when: ({ issues }: z.core.ParsePayload) => issues.length === 0 };

/** Fields of a send that are compared with each other. */
export interface ComparedFields {
  to: Mailbox[];
  cc: Mailbox[];
  bcc: Mailbox[];
  headers?: Record<string, string>;
  templateData?: Record<string, unknown>;
  unsubscribe?: { list: string } | undefined;
  tracking?: RequestedTracking;
  sensitive?: boolean | undefined;
}

/** Refuses repeated addresses, and fields that can't be combined with an unsubscribe link. */
export function refineSend(input: ComparedFields, context: Faults): void {
  if (input.unsubscribe !== undefined) refineUnsubscribe(input, context);
  refineTracking(input, context);
  const seen = new Set<string>();
  for (const kind of ["to", "cc", "bcc"] as const) {
    for (const [index, { address }] of input[kind].entries()) {
      const key = addressKey(address);
      if (seen.has(key))
        context.addIssue({ code: "custom", path: [kind, index], message: `${address} is given twice` });
      seen.add(key);
    }
  }
}

/** Refuses fields that can't be combined with an unsubscribe link. */
export function refineUnsubscribe(
  { to, cc, bcc, headers = {}, templateData = {} }: ComparedFields,
  context: Faults,
): void {
  const refuse = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
  // The link belongs to one recipient: another person who had it could unsubscribe them.
  if (to.length + cc.length + bcc.length > 1)
    refuse(["unsubscribe"], "takes exactly one recipient, and nobody in cc and bcc");
  for (const name of Object.keys(headers))
    if (/^list-unsubscribe(?:-post)?$/i.test(name))
      refuse(["headers", name], "is set by the service if unsubscribe is given");
  if (Object.hasOwn(templateData, unsubscribeUrl))
    refuse(["templateData", unsubscribeUrl], "is set by the service if unsubscribe is given");
}

/** Refuses to track a sensitive e-mail: its links would be in tokens that others see. */
export function refineTracking(
  { tracking, sensitive }: Pick<ComparedFields, "tracking" | "sensitive">,
  context: Faults,
): void {
  if (sensitive === true && (tracking?.opens === true || tracking?.clicks === true))
    context.addIssue({ code: "custom", path: ["tracking"], message: "can't be combined with sensitive" });
}
