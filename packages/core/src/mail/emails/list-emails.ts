import { z } from "zod";
import { type Page, pageOf, paging, sliceOf } from "../../calls/paging.ts";
import { timeOrDayField } from "../../calls/time-fields.ts";
import { type ReadContext, useCase } from "../../calls/use-case.ts";
import type { Permission } from "../../permissions.ts";
import { type EmailFilter, emailStatuses } from "../../ports/storage/emails.ts";
import { type EmailView, viewEmails } from "./email-view.ts";

const input = z.strictObject({
  ...paging,
  status: z.enum(emailStatuses).optional().describe("Only e-mails in this state."),
  to: z.string().min(3).max(254).optional().describe("Only e-mails to this address, in to, cc or bcc."),
  template: z.string().min(1).max(100).optional().describe("Only e-mails of the template of this name."),
  batchId: z.uuid().optional().describe("Only e-mails of this batch."),
  tag: z.string().min(1).max(64).optional().describe("Only e-mails with this tag."),
  metadata: z
    .record(z.string().max(1000), z.string().max(4096))
    .refine((entries) => Object.keys(entries).length <= 5, "takes at most 5 entries")
    .optional()
    .describe(
      "Only e-mails with these entries in their metadata, at most 5: `metadata[order]=7`. Numbers, true and false are found by how they are written, other JSON is not; of an e-mail's metadata the first 20 such entries count.",
    ),
  fromDate: timeOrDayField
    .optional()
    .describe("Only e-mails accepted at or after this time or date, ISO 8601."),
  toDate: timeOrDayField.optional().describe("Only e-mails accepted before this time or date, ISO 8601."),
});

async function list(
  context: ReadContext<"api_key"> | ReadContext<Permission> | ReadContext<"administrator">,
  { page, size, after, fromDate, toDate, ...rest }: z.output<typeof input>,
): Promise<Page<EmailView>> {
  const filter: EmailFilter = {
    ...rest,
    workspaceId: context.workspace?.id ?? "all",
    from: fromDate,
    until: toDate,
  };
  const found = await context.storage.emails.list(filter, sliceOf({ page, size, after }), context.now);
  const items = await viewEmails(context.storage, found.items);
  return pageOf({ ...found, items }, { page, size }, (email) => email);
}

/** The workspace's e-mails, newest first, for a key (decisions §7). */
export const listEmails = useCase({ access: "api_key", reads: true, input, run: list });

/** The workspace's e-mails, newest first, for people (decisions §7). */
export const listWorkspaceEmails = useCase({ access: "emails:read", reads: true, input, run: list });

/** The e-mails of all workspaces, newest first: for the command line. */
export const listAllEmails = useCase({ access: "administrator", reads: true, input, run: list });
