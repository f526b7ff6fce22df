import type { Email, EmailAttempt, EmailRecipient, EmailStatus } from "../../ports/storage/emails.ts";

/** An e-mail as callers see it (decisions §7). Times are ms since the epoch. */
export interface EmailView {
  id: string;
  status: EmailStatus;
  /** The template's name. */
  template: string | undefined;
  templateVersionId: string | undefined;
  from: string;
  to: string[];
  subject: string;
  createdAt: number;
  scheduledAt: number | undefined;
  sentAt: number | undefined;
  tags: string[];
  metadata: Record<string, unknown>;
}

/** An e-mail with its recipients' states and its attempts. */
export interface EmailDetails extends EmailView {
  recipients: EmailRecipient[];
  attempts: EmailAttempt[];
}

export function viewEmail(email: Omit<Email, "contentId" | "stylesheetSetId" | "workspaceId">): EmailView {
  return {
    id: email.id,
    status: email.status,
    template: email.template,
    templateVersionId: email.templateVersionId,
    from: email.from,
    to: email.to,
    subject: email.subject,
    createdAt: email.createdAt,
    scheduledAt: email.scheduledAt,
    sentAt: email.sentAt,
    tags: email.tags,
    metadata: email.metadata,
  };
}
