import { ServiceError } from "../../errors.ts";
import type { Email, EmailAttempt, EmailStatus, Lane, Repositories } from "../../ports/storage.ts";
import type { EmailHits, EmailRecipientView } from "../../tracking/hits-view.ts";
import { type EmailAttachmentView, viewFile } from "../attachments/attachment-view.ts";
import type { TimelineEntry } from "./timeline/timeline-entry.ts";

/** An e-mail as shown to callers (decisions §7). Times are ms since the epoch. */
export interface EmailView {
  /** The e-mail's id, a UUID. */
  id: string;
  /** The workspace's id; `undefined` for one of the service's own mails. */
  workspaceId: number | undefined;
  /** Delivery status; `partially_sent` if some recipients were refused permanently. */
  status: EmailStatus;
  /** The template's name. */
  template: string | undefined;
  /** The template version that was sent. */
  templateVersionId: string | undefined;
  /** The mail server requested by the send. */
  smtpServerId: string | undefined;
  /** The sender, as sent: `Name <a@b.example>`. */
  from: string;
  /** The recipients in To; `EmailDetails.recipients` lists all. */
  to: string[];
  /** The rendered subject. */
  subject: string;
  /** Time of acceptance, ms since the epoch. */
  createdAt: number;
  /** Requested time of sending, ms since the epoch. */
  scheduledAt: number | undefined;
  /** Time from which no further attempt begins, ms since the epoch. */
  deliverBefore: number | undefined;
  /** Time when a server accepted it for the last recipient, ms since the epoch. */
  sentAt: number | undefined;
  /** Priority in the queue. */
  priority: "high" | "normal" | "low";
  /** The batch that it belongs to. */
  batchId: string | undefined;
  /** The campaign that it belongs to. */
  campaignId: number | undefined;
  /** Labels from the send, for filters. */
  tags: string[];
  /** Metadata of your own from the send. */
  metadata: Record<string, unknown>;
  /** Attached files, in order. */
  attachments: EmailAttachmentView[];
}

/** An e-mail with its recipients' states, its attempts and its timeline. */
export interface EmailDetails extends EmailView {
  /**
   * Whether its content was removed: by retention, by erasure, or at once because it is sensitive. It can't be sent
   * again after that.
   */
  contentRemoved: boolean;
  /** Each recipient with the delivery state, and with what they did with the e-mail. */
  recipients: EmailRecipientView[];
  /** Openings by all recipients, with those of programs; `undefined` if there are none. */
  opens: EmailHits | undefined;
  /** Clicks of all recipients, with those of programs; `undefined` if there are none. */
  clicks: EmailHits | undefined;
  /** Delivery attempts, oldest first. */
  attempts: Omit<EmailAttempt, "trace">[];
  /** What happened to it and what it waits for, oldest first. Webhook deliveries and actions: at most 200 each. */
  timeline: TimelineEntry[];
}

type Viewed = Omit<Email, "contentId" | "stylesheetSetId" | "attachmentSetId" | "isSensitive">;

/** Fields of the view that an e-mail being accepted has no columns for yet, and its files. */
type Stated = Pick<EmailView, "status" | "to" | "sentAt" | "attachments">;

/** Returns the view of an e-mail. */
export function viewEmail(email: Omit<Viewed, keyof Stated>, stated: Stated): EmailView {
  return {
    id: email.id,
    workspaceId: email.workspaceId,
    status: stated.status,
    template: email.template,
    templateVersionId: email.templateVersionId,
    smtpServerId: email.smtpServerId,
    from: email.from,
    to: stated.to,
    subject: email.subject,
    createdAt: email.createdAt,
    scheduledAt: email.scheduledAt,
    deliverBefore: email.deliverBefore,
    sentAt: stated.sentAt,
    priority: priorities[email.lane],
    batchId: email.batchId,
    campaignId: email.campaignId,
    tags: email.tags,
    metadata: email.metadata,
    attachments: stated.attachments,
  };
}

/** Returns views of stored e-mails, with their files. */
export async function viewEmails(
  { attachments }: Pick<Repositories, "attachments">,
  emails: readonly Email[],
): Promise<EmailView[]> {
  const setIds = emails.flatMap(({ attachmentSetId }) => attachmentSetId ?? []);
  const items = setIds.length === 0 ? new Map() : await attachments.listItems(setIds);
  return emails.map((email) => {
    const own = email.attachmentSetId === undefined ? [] : (items.get(email.attachmentSetId) ?? []);
    const { status, to, sentAt } = email;
    return viewEmail(email, { status, to, sentAt, attachments: own.map(viewFile) });
  });
}

/** Returns the view of a stored e-mail, with its files. */
export async function viewStored(
  storage: Pick<Repositories, "attachments">,
  email: Email,
): Promise<EmailView> {
  const [view] = await viewEmails(storage, [email]);
  if (view === undefined) throw new TypeError("an e-mail has no view");
  return view;
}

/** Refusal of a call for an e-mail that does not exist, or no more. */
export const noSuchEmail = (): ServiceError =>
  new ServiceError("not_found", { message: "There is no such e-mail." });

/**
 * Returns an e-mail of the workspace, or of any with `all`, with its status at `now`, ms since the epoch. Throws
 * `not_found` if there is none.
 */
export async function findEmailOrThrow(
  { emails }: Pick<Repositories, "emails">,
  workspaceId: number | "all",
  emailId: string,
  now: number,
): Promise<Email> {
  const email = await emails.find(workspaceId, emailId, now);
  if (email === undefined) throw noSuchEmail();
  return email;
}

/** The priorities by their lane. */
export const priorities: Record<Lane, EmailView["priority"]> = { 0: "high", 1: "normal", 2: "low" };
