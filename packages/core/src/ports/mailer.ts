import type { Mailbox } from "../domain/addresses.ts";

export type { Mailbox };

/** A file sent along (RFC 2183). */
export interface MailAttachment {
  filename: string;
  contentType: string;
  content: Uint8Array;
  /** Shown inline under `cid:` where set. */
  contentId?: string;
}

/** The key that signs a verified domain's mail (RFC 6376). */
export interface DkimKey {
  domain: string;
  selector: string;
  /** PEM, PKCS #8. */
  privateKey: string;
}

/** Where a workspace's own mail server is. */
export interface SmtpServerAddress {
  /** Identifies the server, so that connections to it are pooled. Changes whenever a setting changes. */
  key: string;
  host: string;
  port: number;
  security: "none" | "starttls" | "tls";
  username?: string;
  password?: string;
}

/**
 * One message for one SMTP transaction. Everything in it is already valid: no line break in any header field,
 * addresses parsed. The mailer adds the MIME structure and nothing else.
 */
export interface MailMessage {
  /** The e-mail's UUID. */
  emailId: string;
  /** `<…>`, derived from the e-mail's id, the same at every attempt. */
  messageId: string;
  /** When the e-mail was accepted, or scheduled for, ms since the epoch: the Date header, the same at every attempt. */
  date: number;
  from: Mailbox;
  to: Mailbox[];
  cc: Mailbox[];
  replyTo: Mailbox[];
  subject: string;
  /** Empty where the message has none; at least one of `html` and `text` is not. */
  html: string;
  text: string;
  /** Further header fields in order. */
  headers: { name: string; value: string }[];
  attachments: MailAttachment[];
  /** The SMTP envelope: MAIL FROM, and RCPT TO for those not settled yet (to, cc and bcc). */
  envelope: { from: string; to: string[] };
  dkim?: DkimKey;
  /** The server to use instead of the mailer's own. */
  server?: SmtpServerAddress;
}

/** What became of one recipient at one attempt. */
export interface RecipientResult {
  address: string;
  outcome: "accepted" | "deferred" | "refused";
  /** The server's last reply code, where it gave one. */
  code?: number;
  /** The server's last reply or the fault in words: a hostile string, at most 1 KiB, one line. */
  reply: string;
  /** Whether the refusal came at RCPT TO, which tells of the mailbox and not of the message. */
  atRecipient?: boolean;
}

/** What became of one attempt. Mail faults are values: only a programmer's error is thrown. */
export interface MailResult {
  /** One for each address of `envelope.to`, in its order. */
  recipients: RecipientResult[];
  /** Whether the final dot was sent without an answer: the server may have taken the message all the same. */
  inDoubt: boolean;
}

/** Hands mail over. */
export interface Mailer {
  /** Hands over one message. Ends by itself within the mailer's time-outs; never rejects for a fault of the network or the server. */
  send(message: MailMessage): Promise<MailResult>;
  /** How many messages may be under way at once. */
  readonly concurrency: number;
  /** Connects and says hello; resolves with the fault in words, or `undefined` where all is well. */
  verify(server?: SmtpServerAddress): Promise<string | undefined>;
  /** Ends idle connections. Messages under way are finished first. */
  close(): Promise<void>;
}
