import type { TextParts } from "../content/rendering/text-parts.ts";
import type { Mailbox } from "../rules/addresses.ts";

export type { Mailbox, TextParts };

/** A file sent along (RFC 2183). `readAttachment` gets its content in one piece. */
export interface MailAttachment {
  /** The base name, without a path or control characters; may go beyond ASCII. */
  filename: string;
  /** The media type, such as `application/pdf`. */
  contentType: string;
  /** Bytes. */
  size: number;
  /**
   * The content as it crosses the wire: base64 in lines of 76 characters, each ended by CRLF (RFC 2045 section 6.8), in pieces of whole
   * lines. Each call begins anew, with the same bytes. Rejects with `AttachmentUnreadable`, which a mailer lets through.
   */
  base64(): AsyncIterable<Uint8Array>;
  /** Shown inline under `cid:` where set. */
  contentId?: string;
}

/** A file of a message can't be read: for now, or for good where it is gone. */
export class AttachmentUnreadable extends Error {
  override name = "AttachmentUnreadable";
  /** Whether it can never be read again. */
  readonly isGone: boolean;
  /** The error, in words for the log. */
  constructor(message: string, { isGone, ...options }: ErrorOptions & { isGone: boolean }) {
    super(message, options);
    this.isGone = isGone;
  }
}

/** A key that signs a domain's mail (RFC 6376, RFC 8463). */
export interface DkimKey {
  /** ASCII, IDN as punycode. */
  domain: string;
  /** Names the key in DNS: `<selector>._domainkey.<domain>`. */
  selector: string;
  /** PEM; RSA of 1024 bits or more, or Ed25519. */
  privateKey: string;
}

/** Where a workspace's own mail server is. */
export interface SmtpServerAddress {
  /** Identifies the server, so that connections to it are kept. */
  id: string;
  /** Grows with each change of a setting: connections made by former settings are ended. */
  version: number;
  /** A host's name, or an address. */
  host: string;
  /** From 1 to 65,535. */
  port: number;
  /** TLS from the first byte, TLS by STARTTLS (RFC 3207), which is then required, or none. */
  security: "none" | "starttls" | "tls";
  /** The login's name (RFC 4954); left out where the server wants none. */
  username?: string;
  /** The login's password, in the clear: never to be logged. */
  password?: string;
  /** Most connections of this process to it. */
  connections?: number;
  /**
   * Ms for which it may leave a word unanswered before it gets the content, or a waiting message while it says nothing at all: the
   * message then comes back held, as another server may take it. Default: the mailer's own time-outs.
   */
  patienceMs?: number;
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
  /** The header field From (RFC 5322 section 3.6.2). */
  from: Mailbox;
  /** Who sends it for `from` (RFC 5322 section 3.6.2). */
  sender?: Mailbox;
  /** The header field To. */
  to: Mailbox[];
  /** The header field Cc; none where it is empty. */
  cc: Mailbox[];
  /** The header field Reply-To; none where it is empty. */
  replyTo: Mailbox[];
  /** The header field Subject, not encoded yet. */
  subject: string;
  /** Whether whoever sent it asked that nothing it says be kept anywhere. */
  isSensitive?: boolean;
  /** Empty where the message has none; at least one of `html` and `text` is not. */
  readonly html: string;
  /** The plain text; empty if the message has none. */
  readonly text: string;
  /**
   * The same as `html` and `text`, where a template made them: for a mailer that keeps what their literals become. One that reads
   * these never asks for the texts, which are joined when they are read.
   */
  parts?: { html: TextParts | undefined; text: TextParts | undefined } | undefined;
  /** Placeholders that had no value and were left empty: for a mailer that shows what it would have sent. */
  missing?: readonly string[];
  /** Further header fields in order. */
  headers: { name: string; value: string }[];
  /** Files, in their order. */
  attachments: MailAttachment[];
  /** An iCalendar object as an alternative of the text, such as an invitation, and its method (RFC 6047), such as REQUEST. */
  calendar?: CalendarObject;
  /** The SMTP envelope: MAIL FROM, and RCPT TO for those not settled yet (to, cc and bcc). */
  envelope: { from: string; to: string[] };
  /** Keys that sign it, each its own signature, instead of the mailer's own. */
  dkim?: readonly DkimKey[];
  /** The server to use instead of the mailer's own. */
  server?: SmtpServerAddress;
  /** Whether it may go to a server only over TLS: over a connection in cleartext it is deferred. */
  requiresTls?: boolean;
}

/** An iCalendar object, such as an invitation. */
export interface CalendarObject {
  /** What it asks for, such as REQUEST (RFC 5546 section 1.4). */
  method: string;
  /** From BEGIN:VCALENDAR to END:VCALENDAR. */
  content: string;
}

/** What became of one recipient at one attempt. */
export interface RecipientResult {
  /** The address as the envelope has it. */
  address: string;
  /** Taken by the server; refused for now, to be tried again; or refused for good. */
  outcome: "accepted" | "deferred" | "refused";
  /** The server's last reply code, where it gave one. */
  code?: number;
  /** The server's last reply or the fault in words: a hostile string, at most 1 KiB, one line. */
  reply: string;
  /** Whether the refusal came at RCPT TO, which tells of the mailbox and not of the message. */
  atRecipient?: boolean;
}

/**
 * Why a server takes no mail now, where no message has a part in it. It holds for every message to that server, costs none of them an
 * attempt, and passes by itself or with a setting.
 */
export interface MailHold {
  /**
   * - `unreachable`: no connection, no TLS, no greeting;
   * - `settings`: the server refuses the login, wants one, or the settings can't be used;
   * - `limited`: the server takes no more for now: its rate, its connections, its load;
   * - `exhausted`: this process lacks descriptors, ports or memory;
   * - `closed`: the mailer is closing.
   */
  cause: "unreachable" | "settings" | "limited" | "exhausted" | "closed";
  /** The fault with the server's own words, one line of at most 1 KiB: for whoever set up the server, and nobody else. */
  reason: string;
  /** Ms before it makes sense to hand over anything to this server. */
  retryAfterMs: number;
}

/**
 * What handing a message over goes through, in this order: `wait` for a turn at the server; a new connection's `resolve`, `connect` (with
 * TLS where it begins at once), `greeting`, `ehlo`, `starttls` and `auth`; then the transaction, `content` only for what does not go in
 * one piece with its end.
 */
export type HandoverStepName =
  | "wait"
  | "resolve"
  | "connect"
  | "greeting"
  | "ehlo"
  | "starttls"
  | "auth"
  | "mail_from"
  | "rcpt_to"
  | "data"
  | "content"
  | "end_of_data";

/** How one step of handing a message over went. No secret is in it, whatever the server says. */
export interface HandoverStep {
  /** What was done. */
  step: HandoverStepName;
  /** From the end of the step before, to a tenth. */
  ms: number;
  /** The server's reply, where it gave one. */
  code?: number;
  /** Its words: a hostile string, one line of at most 1 KiB; of `starttls`, what was agreed on. */
  reply?: string;
  /** Set where it broke off, in words of one line. */
  error?: string;
  /** Of `rcpt_to`: whom it is about. */
  recipient?: string;
}

/** What became of one attempt. Mail faults are values: only a programmer's error is thrown. */
export interface MailResult {
  /** One for each address of `envelope.to`, in its order. */
  recipients: RecipientResult[];
  /** Set where nothing was handed over and no message is the cause. The recipients are deferred then, in words that any tenant may see. */
  held?: MailHold;
  /** Whether the final dot was sent without a reply: the server may have accepted the message all the same. */
  inDoubt: boolean;
  /** What it went through, for whoever asks why it took so long or failed. A mailer without steps leaves it out. */
  steps?: HandoverStep[];
}

/** What trying a server goes through, in this order; `starttls` where that is the setting, `auth` with a login. */
export type ProbeStepName = "resolve" | "connect" | "greeting" | "starttls" | "auth" | "mail_from";

/** How one step went: no secret is in it, whatever the server says. */
export interface ProbeStep {
  /** What was tried. */
  step: ProbeStepName;
  /** How long it took, in ms. */
  ms: number;
  /** The server's last reply, where it gave one. */
  code?: number;
  /** Its words: a hostile string, one line of at most 1 KiB. */
  reply?: string;
  /** Set where it failed: no further step was tried. */
  error?: string;
}

/** What trying a server found out. */
export interface ServerProbe {
  /** Whether mail could be handed over. */
  ok: boolean;
  /** Each phase of the conversation, in order, up to the one that failed. */
  steps: ProbeStep[];
  /** Set once TLS stands. `validTo`: ms since the epoch. */
  tls?: {
    protocol: string;
    cipher: string;
    authorized: boolean;
    issuer: string;
    validTo: number | undefined;
  };
  /** What the server offers, with its parameters, such as `SIZE 35882577`. */
  extensions: string[];
  /** Bytes of the largest message that it takes, where it says so. */
  maxSize: number | undefined;
}

/** Hands mail over. */
export interface Mailer {
  /**
   * Hands over one message. Ends by itself within the mailer's time-outs; never rejects for a fault of the network or the server. Once
   * `signal` is aborted the service stops: what has not begun yet, such as for want of a connection, comes back held by `closed`.
   */
  send(message: MailMessage, options?: { signal?: AbortSignal }): Promise<MailResult>;
  /** How many messages may be under way at once. */
  readonly concurrency: number;
  /** Connects to its own server and says hello; resolves with the fault in words, or `undefined` where all is well. */
  verify(): Promise<string | undefined>;
  /**
   * Tries a workspace's server step by step, up to MAIL FROM where a sender is given. Sends nothing. Ends within half a minute. A mailer
   * without it knows of no servers but its own.
   */
  probe?(server: SmtpServerAddress, options?: { from?: string | undefined }): Promise<ServerProbe>;
  /** Whether its own keys sign mail from the domain, whatever server it goes through. Without it, they sign none. */
  signs?(domain: string): boolean;
  /** Ends idle connections. Messages under way are finished first. */
  close(): Promise<void>;
}
