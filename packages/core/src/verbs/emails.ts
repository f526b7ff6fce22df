// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { OutputOf } from "../use-case.ts";
import type { cancelEmail } from "../use-cases/emails/cancel-email.ts";
import type { getAnyEmail, getEmail, getWorkspaceEmail } from "../use-cases/emails/get-email.ts";
import type { listAllEmails, listEmails, listWorkspaceEmails } from "../use-cases/emails/list-emails.ts";
import type { retryEmail } from "../use-cases/emails/retry-email.ts";
import type { sendEmail } from "../use-cases/emails/send-email.ts";
import type { sendTemplate } from "../use-cases/emails/send-template.ts";
import type { CallShapes } from "./call-options.ts";

/** What `sendTemplate` takes. */
export interface SendTemplateInput {
  template: string;
  to: string[];
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  templateData?: Record<string, unknown> | undefined;
  templateVersionId?: string | undefined;
  allowMissing?: boolean | undefined;
  subject?: string | undefined;
  from?: string | undefined;
  replyTo?: string | string[] | undefined;
  headers?: Record<string, string> | undefined;
  tags?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  scheduledAt?: string | undefined;
  idempotencyKey?: string | undefined;
}

/** What `send` takes. */
export interface SendEmailInput {
  subject: string;
  html?: string | undefined;
  text?: string | undefined;
  to: string[];
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  from?: string | undefined;
  replyTo?: string | string[] | undefined;
  headers?: Record<string, string> | undefined;
  tags?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  scheduledAt?: string | undefined;
  idempotencyKey?: string | undefined;
}

/** What `list` takes. */
export interface ListEmailsInput {
  page?: number | undefined;
  size?: number | undefined;
  status?:
    | "scheduled"
    | "queued"
    | "sending"
    | "sent"
    | "partially_sent"
    | "failed"
    | "cancelled"
    | undefined;
  to?: string | undefined;
  template?: string | undefined;
  fromDate?: string | undefined;
  toDate?: string | undefined;
}

/** What `get` takes. */
export interface GetEmailInput {
  emailId: string;
}

/** What `cancel` takes. */
export interface CancelEmailInput {
  emailId: string;
}

/** What `listForWorkspace` takes. */
export interface ListWorkspaceEmailsInput {
  page?: number | undefined;
  size?: number | undefined;
  status?:
    | "scheduled"
    | "queued"
    | "sending"
    | "sent"
    | "partially_sent"
    | "failed"
    | "cancelled"
    | undefined;
  to?: string | undefined;
  template?: string | undefined;
  fromDate?: string | undefined;
  toDate?: string | undefined;
}

/** What `getForWorkspace` takes. */
export interface GetWorkspaceEmailInput {
  emailId: string;
}

/** What `getAny` takes. */
export interface GetAnyEmailInput {
  emailId: string;
}

/** What `listAll` takes. */
export interface ListAllEmailsInput {
  page?: number | undefined;
  size?: number | undefined;
  status?:
    | "scheduled"
    | "queued"
    | "sending"
    | "sent"
    | "partially_sent"
    | "failed"
    | "cancelled"
    | undefined;
  to?: string | undefined;
  template?: string | undefined;
  fromDate?: string | undefined;
  toDate?: string | undefined;
}

/** What `retry` takes. */
export interface RetryEmailInput {
  emailId: string;
}

/** Sending, and the log of what was sent. */
export interface EmailsVerbs<K extends CallShapes = CallShapes> {
  /** Accepts an e-mail made from a template's active version (service.md, Sending with a template; decisions §7). */
  sendTemplate(input: SendTemplateInput, ...call: K["workspace"]): Promise<OutputOf<typeof sendTemplate>>;
  /** Accepts an e-mail whose content is given as it stands (decisions §7). */
  send(input: SendEmailInput, ...call: K["workspace"]): Promise<OutputOf<typeof sendEmail>>;
  /** The workspace's e-mails, newest first, for a key (decisions §7). */
  list(input?: ListEmailsInput, ...call: K["workspace"]): Promise<OutputOf<typeof listEmails>>;
  /** One e-mail with its recipients' states and its attempts, for a key (decisions §7). */
  get(input: GetEmailInput, ...call: K["workspace"]): Promise<OutputOf<typeof getEmail>>;
  /** Takes an e-mail back that still waits (decisions §7). */
  cancel(input: CancelEmailInput, ...call: K["workspace"]): Promise<OutputOf<typeof cancelEmail>>;
  /** The workspace's e-mails, newest first, for people (decisions §7). */
  listForWorkspace(
    input?: ListWorkspaceEmailsInput,
    ...call: K["workspace"]
  ): Promise<OutputOf<typeof listWorkspaceEmails>>;
  /** One e-mail with its recipients' states and its attempts, for people (decisions §7). */
  getForWorkspace(
    input: GetWorkspaceEmailInput,
    ...call: K["workspace"]
  ): Promise<OutputOf<typeof getWorkspaceEmail>>;
  /** One e-mail of any workspace or of the service itself: for the command line. */
  getAny(input: GetAnyEmailInput, ...call: K["any"]): Promise<OutputOf<typeof getAnyEmail>>;
  /** The e-mails of all workspaces, newest first: for the command line. */
  listAll(input?: ListAllEmailsInput, ...call: K["any"]): Promise<OutputOf<typeof listAllEmails>>;
  /** Puts a failed e-mail back into the queue, for the recipients that did not get it. For operators. */
  retry(input: RetryEmailInput, ...call: K["any"]): Promise<OutputOf<typeof retryEmail>>;
}
