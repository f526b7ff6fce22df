import { cancelBatch } from "../batches/cancel-batch.ts";
import { getBatch } from "../batches/get-batch.ts";
import { sendBatch } from "../batches/send-batch.ts";
import { dryRunSendBatch } from "../batches/try-batch.ts";
import { cancelEmail, cancelWorkspaceEmail } from "./cancel-email.ts";
import { getAnyEmail, getEmail, getWorkspaceEmail } from "./get-email.ts";
import { getEmailAttachment } from "./get-email-attachment.ts";
import { getEmailContent } from "./get-email-content.ts";
import { listAllEmails, listEmails, listWorkspaceEmails } from "./list-emails.ts";
import { rescheduleEmail, rescheduleWorkspaceEmail } from "./reschedule-email.ts";
import { retryEmail, retryWorkspaceEmail } from "./retry-email.ts";
import { dryRunSend, sendEmail } from "./send-email.ts";
import { dryRunSendTemplate, sendTemplate } from "./send-template.ts";

/** Sending, and the log of what was sent. */
export const emails = {
  sendTemplate,
  send: sendEmail,
  sendBatch,
  dryRunSendTemplate,
  dryRunSend,
  dryRunSendBatch,
  getBatch,
  cancelBatch,
  list: listEmails,
  get: getEmail,
  cancel: cancelEmail,
  reschedule: rescheduleEmail,
  listForWorkspace: listWorkspaceEmails,
  getForWorkspace: getWorkspaceEmail,
  getContent: getEmailContent,
  getAttachment: getEmailAttachment,
  cancelForWorkspace: cancelWorkspaceEmail,
  rescheduleForWorkspace: rescheduleWorkspaceEmail,
  retryForWorkspace: retryWorkspaceEmail,
  getAny: getAnyEmail,
  listAll: listAllEmails,
  retry: retryEmail,
} as const;
