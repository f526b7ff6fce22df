import type { Mailbox } from "@posthorn/core";

/** A mail that was kept instead of sent. Times are in ms since the epoch. */
export interface CapturedMail {
  /** Sorts by time of capture. */
  id: string;
  /** The e-mail's UUID. */
  emailId: string;
  /** The header field Message-ID, with its angle brackets. */
  messageId: string;
  /** The header field From. */
  from: Mailbox;
  /** Everybody it went to in this attempt: to, cc and bcc. */
  to: string[];
  /** The header field Subject, decoded. */
  subject: string;
  /** When it was captured, ms since the epoch. */
  receivedAt: number;
  /** The beginning of its text on one line, at most 140 characters. */
  preview: string;
  /** Bytes of the message. */
  size: number;
  /** How many files came with it. */
  attachmentCount: number;
}

/** A captured mail with its content. */
export interface CapturedMailDetail extends CapturedMail {
  /** Empty where the message has none. */
  html: string;
  /** As `html`, in plain text. */
  text: string;
  /** The further header fields, in order. */
  headers: { name: string; value: string }[];
  /** The files that came with it; `size` in bytes. */
  attachments: { filename: string; contentType: string; size: number }[];
  /** Placeholders of its template that had no value. */
  missing: string[];
  /** The message as it would have crossed the wire (RFC 5322). */
  source: string;
}

/** Where captured mails are kept. */
export interface CaptureStore {
  add(mail: CapturedMailDetail): Promise<void>;
  /** Newest first. */
  list(): CapturedMail[];
  find(id: string): CapturedMailDetail | undefined;
  clear(): void;
}

/** The mail without its content, as lists show it. */
export function summaryOf(mail: CapturedMail): CapturedMail {
  const { id, emailId, messageId, from, to, subject, receivedAt, preview, size, attachmentCount } = mail;
  return { id, emailId, messageId, from, to, subject, receivedAt, preview, size, attachmentCount };
}
