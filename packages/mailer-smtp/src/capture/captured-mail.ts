import type { Mailbox } from "@posthorn/core";

/** A message that was captured instead of sent. Times are in ms since the epoch. */
export interface CapturedMail {
  /** Sorts by time of capture. */
  id: string;
  /** The e-mail's UUID. */
  emailId: string;
  /** The header field Message-ID, with its angle brackets. */
  messageId: string;
  /** Header field From. */
  from: Mailbox;
  /** All recipients of this attempt: to, cc and bcc. */
  to: string[];
  /** Header field Subject, decoded. */
  subject: string;
  /** Time of capture, ms since the epoch. */
  receivedAt: number;
  /** The start of the message's text, or of its HTML where it has none, on one line of at most 140 characters. */
  preview: string;
  /** Size of the message in bytes. */
  size: number;
  /** Number of attached files. */
  attachmentCount: number;
}

/** A captured mail with its content. */
export interface CapturedMailDetail extends CapturedMail {
  /** HTML part; empty if the message has none. */
  html: string;
  /** Plain text; empty if the message has none. */
  text: string;
  /** All other header fields, in order. */
  headers: { name: string; value: string }[];
  /** Attached files; `size` in bytes. */
  attachments: { filename: string; contentType: string; size: number }[];
  /** Template placeholders that had no value. */
  missing: string[];
  /** The message as it would have been transmitted (RFC 5322). */
  source: string;
}

/** Storage for captured mails. */
export interface CaptureStore {
  add(mail: CapturedMailDetail): Promise<void>;
  /** Lists all mails, newest first. */
  list(): CapturedMail[];
  find(id: string): CapturedMailDetail | undefined;
  clear(): void;
}

/** Returns the mail without its content, as in lists. */
export function summaryOf(mail: CapturedMail): CapturedMail {
  const { id, emailId, messageId, from, to, subject, receivedAt, preview, size, attachmentCount } = mail;
  return { id, emailId, messageId, from, to, subject, receivedAt, preview, size, attachmentCount };
}
