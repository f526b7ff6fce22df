import { z } from "zod";
import { existingName } from "../../calls/input/name-field.ts";
import { timeOrDayField } from "../../calls/input/time-fields.ts";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { type Page, pagesOf, paging } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type EmailFilter, emailStatuses } from "../../ports/storage.ts";
import { parseAddress } from "../../rules/addresses.ts";
import { type EmailView, viewEmails } from "./email-view.ts";

const pages = pagesOf("e-mails");

const input = z.strictObject({
  ...paging,
  status: z.enum(emailStatuses).optional().describe("Only e-mails with this status."),
  to: z.string().min(3).max(254).optional().describe("Only e-mails to this address, in to, cc or bcc."),
  template: existingName.optional().describe("Only e-mails from the template of this name."),
  batchId: uuidField.optional().describe("Only e-mails of this batch."),
  apiKeyId: uuidField
    .optional()
    .describe(
      "Only e-mails that this API key sent, which may be revoked. In a long log, give a status or a time, too.",
    ),
  tag: z.string().min(1).max(64).optional().describe("Only e-mails with this tag."),
  metadata: z
    .record(z.string().max(1000), z.string().max(4096))
    .refine((entries) => Object.keys(entries).length <= 5, "takes at most 5 entries")
    .optional()
    .describe(
      "Only e-mails with these entries in their metadata, at most 5: `metadata[order]=7`. Texts, numbers, true and false are compared as text, other JSON is not found; of an e-mail's metadata the first 20 such entries are searchable.",
    ),
  fromDate: timeOrDayField
    .optional()
    .describe("Only e-mails accepted at or after this time or date, ISO 8601."),
  toDate: timeOrDayField.optional().describe("Only e-mails accepted before this time or date, ISO 8601."),
});

/** Lists the workspace's e-mails, newest first (decisions §7). With the workspace `all`, for administrators, those of every workspace. */
export const listEmails = useCase({
  access: ["api_key", "emails:read", "administrator"],
  reads: true,
  input,
  async run(context, { page, size, after, to, fromDate, toDate, ...rest }): Promise<Page<EmailView>> {
    const filter: EmailFilter = {
      ...rest,
      // The log has an international domain as punycode; what stands in it after an erasure is no address.
      to: to && (parseAddress(to) ?? to),
      workspaceId: context.workspace?.id ?? "all",
      from: fromDate,
      until: toDate,
    };
    const now = context.runtime.queueClock.now();
    const found = await context.storage.emails.list(filter, pages.sliceOf({ page, size, after }), now);
    const items = await viewEmails(context.storage, found.items);
    return pages.pageOf({ ...found, items }, { page, size }, (email) => email);
  },
});
