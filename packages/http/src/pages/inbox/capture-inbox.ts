/** A captured mail. `receivedAt` is ms since the epoch. */
export interface InboxMail {
  /** Id of the mail; ids sort by time of capture. */
  id: string;
  /** Header field From. */
  from: { name: string; address: string };
  /** All recipients: to, cc and bcc. */
  to: string[];
  /** Header field Subject, decoded. */
  subject: string;
  /** Time of capture, ms since the epoch. */
  receivedAt: number;
  /** Beginning of the text, or of the HTML where there is none, on one line. */
  preview?: string;
  /** Size of the message in bytes. */
  size?: number;
  /** Number of attached files. */
  attachmentCount?: number;
}

/** A captured mail with its content. */
export interface InboxMailDetail extends InboxMail {
  /** HTML part; empty if the message has none. */
  html: string;
  /** Plain text; empty if the message has none. */
  text: string;
  /** All other header fields, in order. */
  headers: { name: string; value: string }[];
  /** Attached files; `size` in bytes. */
  attachments: { filename: string; contentType: string; size: number }[];
  /** Template placeholders that had no value. */
  missing?: string[];
  /** The message (RFC 5322), as text: addresses beyond ASCII are in UTF-8 (RFC 6532). */
  source: string;
}

/** Source of captured mails, such as a capture mailer. */
export interface CaptureInbox {
  /** Maximum number of mails that it keeps, if there is one. */
  readonly limit?: number;
  /** Lists all mails, newest first. */
  list(): InboxMail[];
  /** Returns a mail with its content; `undefined` if it is gone. */
  find(id: string): InboxMailDetail | undefined;
  /** Removes all mails. */
  clear(): void;
}
