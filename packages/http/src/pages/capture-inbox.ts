/** A mail that was kept instead of sent. `receivedAt` is ms since the epoch. */
export interface InboxMail {
  id: string;
  from: { name: string; address: string };
  to: string[];
  subject: string;
  receivedAt: number;
}

/** A kept mail with its content. */
export interface InboxMailDetail extends InboxMail {
  html: string;
  text: string;
  headers: { name: string; value: string }[];
  attachments: { filename: string; contentType: string; size: number }[];
  source: string;
}

/** Where kept mails are read: a capture mailer is one. */
export interface CaptureInbox {
  /** Newest first. */
  list(): InboxMail[];
  find(id: string): InboxMailDetail | undefined;
  clear(): void;
}
