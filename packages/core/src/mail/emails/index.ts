import { cancelEmail } from "./cancel-email.ts";
import { getAnyEmail, getEmail, getWorkspaceEmail } from "./get-email.ts";
import { getEmailAttachment } from "./get-email-attachment.ts";
import { listAllEmails, listEmails, listWorkspaceEmails } from "./list-emails.ts";
import { retryEmail } from "./retry-email.ts";
import { sendEmail } from "./send-email.ts";
import { sendTemplate } from "./send-template.ts";

/** Sending, and the log of what was sent. */
export const emails = {
  sendTemplate,
  send: sendEmail,
  list: listEmails,
  get: getEmail,
  cancel: cancelEmail,
  listForWorkspace: listWorkspaceEmails,
  getForWorkspace: getWorkspaceEmail,
  getAttachment: getEmailAttachment,
  getAny: getAnyEmail,
  listAll: listAllEmails,
  retry: retryEmail,
} as const;
