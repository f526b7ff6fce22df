import { cancelBatch } from "../batches/cancel-batch.ts";
import { getBatch } from "../batches/get-batch.ts";
import { sendBatch } from "../batches/send-batch.ts";
import { dryRunSendBatch } from "../batches/try-batch.ts";
import { cancelEmail } from "./cancel-email.ts";
import { getEmail } from "./get-email.ts";
import { getEmailAttachment } from "./get-email-attachment.ts";
import { getEmailContent } from "./get-email-content.ts";
import { listEmails } from "./list-emails.ts";
import { rescheduleEmail } from "./reschedule-email.ts";
import { retryEmail } from "./retry-email.ts";
import { dryRunSend, sendEmail } from "./send-email.ts";
import { dryRunSendTemplate, sendTemplate } from "./send-template.ts";

/** Sending e-mails, and their log. */
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
  retry: retryEmail,
  getContent: getEmailContent,
  getAttachment: getEmailAttachment,
} as const;
