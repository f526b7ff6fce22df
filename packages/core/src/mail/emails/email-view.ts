import type { Email, EmailAttempt, EmailStatus, RecipientDetails } from "../../ports/storage/emails.ts";
import type { Lane } from "../../ports/storage/lane.ts";
import type { Repositories } from "../../ports/storage.ts";
import { type EmailAttachmentView, viewFile } from "../attachments/attachment-view.ts";
import type { TimelineEntry } from "./timeline/timeline-entry.ts";

/** An e-mail as callers see it (decisions §7). Times are ms since the epoch. */
export interface EmailView {
  /** A UUID: what reads, cancels and reschedules it. */
  id: string;
  /** Whose it is; `undefined` for one of the service's own. */
  workspaceId: number | undefined;
  /** Where it stands; `partially_sent` where some recipients were refused for good. */
  status: EmailStatus;
  /** The template's name. */
  template: string | undefined;
  /** The version of it that was sent. */
  templateVersionId: string | undefined;
  /** The mail server that it was to go through, where the send named one. */
  smtpServerId: string | undefined;
  /** The sender, as it was sent: `Name <a@b.example>`. */
  from: string;
  /** The recipients in To; `EmailDetails.recipients` has all. */
  to: string[];
  /** As rendered. */
  subject: string;
  /** When it was accepted, ms since the epoch. */
  createdAt: number;
  /** When it was to be sent, where that was asked for; ms since the epoch. */
  scheduledAt: number | undefined;
  /** When no attempt at it begins any more. */
  deliverBefore: number | undefined;
  /** When a server took it for the last recipient; ms since the epoch. */
  sentAt: number | undefined;
  /** In which lane it waits. */
  priority: "high" | "normal" | "low";
  /** The batch that it came with. */
  batchId: string | undefined;
  /** The campaign that it is a part of. */
  campaignId: number | undefined;
  /** Words that it was sent with, for filters. */
  tags: string[];
  /** Whatever it was sent with for your own use. */
  metadata: Record<string, unknown>;
  /** Its files, in order. */
  attachments: EmailAttachmentView[];
}

/** An e-mail with its recipients' states, its attempts, and all that happened to it. */
export interface EmailDetails extends EmailView {
  /** Whether its content was removed: by retention, by erasure, or at once because it is sensitive. It can't be sent again then. */
  contentRemoved: boolean;
  /** Each recipient with what became of the e-mail there. */
  recipients: RecipientDetails[];
  /** Each try to hand it over, the first one first. */
  attempts: Omit<EmailAttempt, "trace">[];
  /** Oldest first, with what it waits for. Webhook deliveries and what was done with it: at most 200 each. */
  timeline: TimelineEntry[];
}

type Viewed = Omit<Email, "contentId" | "stylesheetSetId" | "attachmentSetId" | "isSensitive">;

export function viewEmail(email: Viewed & Pick<EmailView, "attachments">): EmailView {
  return {
    id: email.id,
    workspaceId: email.workspaceId,
    status: email.status,
    template: email.template,
    templateVersionId: email.templateVersionId,
    smtpServerId: email.smtpServerId,
    from: email.from,
    to: email.to,
    subject: email.subject,
    createdAt: email.createdAt,
    scheduledAt: email.scheduledAt,
    deliverBefore: email.deliverBefore,
    sentAt: email.sentAt,
    priority: priorities[email.lane],
    batchId: email.batchId,
    campaignId: email.campaignId,
    tags: email.tags,
    metadata: email.metadata,
    attachments: email.attachments,
  };
}

/** E-mails as they are kept, with their files. */
export async function viewEmails(
  { attachments }: Pick<Repositories, "attachments">,
  emails: readonly Email[],
): Promise<EmailView[]> {
  const setIds = emails.flatMap(({ attachmentSetId }) => attachmentSetId ?? []);
  const items = setIds.length === 0 ? new Map() : await attachments.listItems(setIds);
  return emails.map((email) => {
    const own = email.attachmentSetId === undefined ? [] : (items.get(email.attachmentSetId) ?? []);
    return viewEmail({ ...email, attachments: own.map(viewFile) });
  });
}

/** An e-mail as it is kept, with its files. */
export async function viewKept(storage: Pick<Repositories, "attachments">, email: Email): Promise<EmailView> {
  const [view] = await viewEmails(storage, [email]);
  if (view === undefined) throw new TypeError("an e-mail has no view");
  return view;
}
const priorities: Record<Lane, EmailView["priority"]> = { 0: "high", 1: "normal", 2: "low" };
