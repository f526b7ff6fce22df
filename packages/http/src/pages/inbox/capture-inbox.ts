/** A mail that was kept instead of sent. `receivedAt` is ms since the epoch. */
export interface InboxMail {
  id: string;
  from: { name: string; address: string };
  to: string[];
  subject: string;
  receivedAt: number;
  /** The beginning of its text, on one line. */
  preview?: string;
  /** Bytes of the message. */
  size?: number;
  /** How many files came with it. */
  attachmentCount?: number;
}

/** A kept mail with its content. */
export interface InboxMailDetail extends InboxMail {
  html: string;
  text: string;
  headers: { name: string; value: string }[];
  attachments: { filename: string; contentType: string; size: number }[];
  /** Placeholders of its template that had no value. */
  missing?: string[];
  /** The message (RFC 5322), a character a byte. */
  source: string;
}

/** Where kept mails are read: a capture mailer is one. */
export interface CaptureInbox {
  /** Newest first. */
  list(): InboxMail[];
  find(id: string): InboxMailDetail | undefined;
  clear(): void;
}
