/** A mail that was kept instead of sent. `receivedAt` is ms since the epoch. */
export interface InboxMail {
  /** Names the mail; sorts by time of capture. */
  id: string;
  /** The header field From. */
  from: { name: string; address: string };
  /** Everybody it went to: to, cc and bcc. */
  to: string[];
  /** The header field Subject, decoded. */
  subject: string;
  /** When it was captured, ms since the epoch. */
  receivedAt: number;
  /** The beginning of its text, on one line. */
  preview?: string;
  /** Bytes of the message. */
  size?: number;
  /** Number of attached files. */
  attachmentCount?: number;
}

/** A kept mail with its content. */
export interface InboxMailDetail extends InboxMail {
  /** Empty if the message has no HTML. */
  html: string;
  /** The plain text; empty if the message has none. */
  text: string;
  /** All other header fields, in order. */
  headers: { name: string; value: string }[];
  /** The attached files; `size` in bytes. */
  attachments: { filename: string; contentType: string; size: number }[];
  /** Placeholders of the template that had no value. */
  missing?: string[];
  /** The message (RFC 5322), a character a byte. */
  source: string;
}

/** Where kept mails are read: a capture mailer is one. */
export interface CaptureInbox {
  /** Newest first. */
  list(): InboxMail[];
  /** One with its content; `undefined` where it is gone. */
  find(id: string): InboxMailDetail | undefined;
  /** Removes all. */
  clear(): void;
}
