import type { TextParts } from "../content/rendering/text-parts.ts";
import type { Mailbox } from "../rules/addresses.ts";
import { errorKind, hasInstance } from "./error-kind.ts";
import type { ServerProbe } from "./server-probe.ts";

export type { Mailbox, TextParts };

/** An attached file (RFC 2183). `readAttachment` reads its content in one piece. */
export interface MailAttachment {
  /** The base name, without a path or control characters; may contain non-ASCII characters. */
  filename: string;
  /** The media type, such as `application/pdf`. */
  contentType: string;
  /** Size in bytes. */
  size: number;
  /**
   * The encoded content: base64 in lines of 76 characters, each ended by CRLF (RFC 2045 section 6.8), in pieces of
   * whole lines. Each call starts from the beginning and yields the same bytes. Rejects with `AttachmentUnreadable`,
   * which a mailer must pass on.
   */
  base64(): AsyncIterable<Uint8Array>;
  /** Content id; if set, the file is shown inline under `cid:`. */
  contentId?: string;
}

/** Error for a message's file that can't be read, temporarily or, if it was deleted, for good. */
export class AttachmentUnreadable extends Error {
  override name = "AttachmentUnreadable";
  get [errorKind](): string {
    return "AttachmentUnreadable";
  }
  static override [Symbol.hasInstance] = hasInstance;
  /** Whether the failure is permanent. */
  readonly isGone: boolean;
  /** The message is for the log. */
  constructor(message: string, { isGone, ...options }: ErrorOptions & { isGone: boolean }) {
    super(message, options);
    this.isGone = isGone;
  }
}

/** A DKIM key that signs a domain's mail (RFC 6376, RFC 8463). */
export interface DkimKey {
  /** The domain in ASCII, IDN as punycode. */
  domain: string;
  /** The selector: the key's record is at `<selector>._domainkey.<domain>`. */
  selector: string;
  /** The private key in PEM: RSA of 1024 bits or more, or Ed25519. */
  privateKey: string;
}

/** Address, login and limits of a workspace's own mail server. */
export interface SmtpServerAddress {
  /** Identifies the server, so that its connections can be reused. */
  id: string;
  /** Increases with each change of a setting: connections with earlier settings are closed. */
  version: number;
  /** Host name or IP address. */
  host: string;
  /** Port, 1 to 65,535. */
  port: number;
  /** TLS from the first byte, TLS by STARTTLS (RFC 3207), which is then required, or none. */
  security: "none" | "starttls" | "tls";
  /** User name of the login (RFC 4954); absent if the server needs none. */
  username?: string;
  /** Password of the login in clear text. Must never be logged. */
  password?: string;
  /** Whether nothing may be sent without the login, even if the server offers none: only so is it the sender's own. */
  needsLogin?: boolean;
  /** Maximum connections of this process to it. */
  connections?: number;
  /**
   * Ms for which a command may stay unanswered before the content is sent, or a message may wait while the server sends
   * nothing at all: the message is then returned as held, as another server may accept it. Default: the mailer's own
   * timeouts.
   */
  patienceMs?: number;
}

/**
 * One message for one SMTP transaction. All of it is validated: header fields have no line breaks, and addresses are
 * parsed. The mailer only adds the MIME structure.
 */
export interface MailMessage {
  /** The e-mail's UUID. */
  emailId: string;
  /** The number of the workspace that sends it; absent for the service's own e-mails. */
  workspaceId?: number | undefined;
  /** How urgent it is, for a mailer in which messages wait: 0 high, 1 normal, 2 low. */
  lane?: 0 | 1 | 2 | undefined;
  /** The Message-ID, `<…>`, derived from the e-mail's id, the same for every attempt. */
  messageId: string;
  /**
   * The header field Date: when the e-mail was accepted, or scheduled for, in ms since the epoch; the same for every
   * attempt.
   */
  date: number;
  /** The header field From (RFC 5322 section 3.6.2). */
  from: Mailbox;
  /** The header field Sender, if somebody sends on behalf of `from` (RFC 5322 section 3.6.2). */
  sender?: Mailbox;
  /** The header field To. */
  to: Mailbox[];
  /** The header field Cc; omitted if empty. */
  cc: Mailbox[];
  /** The header field Reply-To; omitted if empty. */
  replyTo: Mailbox[];
  /** The header field Subject, before encoding. */
  subject: string;
  /** Whether the caller asked that the message's content is not stored anywhere. */
  isSensitive?: boolean;
  /** The html; empty if the message has none. `html` or `text` is not empty. */
  readonly html: string;
  /** Plain text; empty if the message has none. */
  readonly text: string;
  /**
   * The same content as `html` and `text` in parts, if a template was rendered. A mailer may cache the encoded
   * literals. `html` and `text` are joined only when they are read. The parts are rendered again each time they are read
   * after the first, so that a mailer that waits for its server keeps no rendered text.
   */
  parts?: { html: TextParts | undefined; text: TextParts | undefined } | undefined;
  /** Placeholders that had no value and were left empty, for a mailer that shows messages. */
  missing?: readonly string[];
  /** Further header fields in order. */
  headers: { name: string; value: string }[];
  /** Attached files in order. */
  attachments: MailAttachment[];
  /**
   * An iCalendar object as an alternative of the text, such as an invitation, with its method (RFC 6047), such as
   * REQUEST.
   */
  calendar?: CalendarObject;
  /** The SMTP envelope: MAIL FROM, and RCPT TO for the recipients (to, cc and bcc) that are not settled yet. */
  envelope: { from: string; to: string[] };
  /** DKIM keys, each for a signature of its own, instead of the mailer's own. */
  dkim?: readonly DkimKey[];
  /** The server to use instead of the mailer's own. */
  server?: SmtpServerAddress;
  /** Whether the message must be sent over TLS: on a connection in clear text it is deferred. */
  requiresTls?: boolean;
}

/** An iCalendar object, such as an invitation. */
export interface CalendarObject {
  /** The method, such as REQUEST (RFC 5546 section 1.4). */
  method: string;
  /** The text from BEGIN:VCALENDAR to END:VCALENDAR. */
  content: string;
}

/** Result of one attempt for one recipient. */
export interface RecipientResult {
  /** The address as in the envelope; its case, and the form of its domain, may differ. */
  address: string;
  /** Whether the server accepted the recipient, refused it temporarily, or refused it for good. */
  outcome: "accepted" | "deferred" | "refused";
  /** The server's last reply code, or that of the refusal that its offer announces, if there was one. */
  code?: number;
  /** The server's last reply, or the fault in words. Untrusted text, one line of at most 1 KiB. */
  reply: string;
  /** Whether the refusal came at RCPT TO, so that it is about the mailbox and not the message. */
  atRecipient?: boolean;
}

/**
 * Why a server takes no mail now, for a cause that is not in the message. It applies to all messages to that server,
 * does not count as an attempt of theirs, and ends by itself or with a change of settings.
 */
export interface MailHold {
  /**
   * - `unreachable`: no connection, no TLS, no greeting;
   * - `settings`: the server refuses the login, requires one, or the settings can't be used;
   * - `limited`: the server takes no more for now: its rate, its connections, its load;
   * - `exhausted`: this process lacks file descriptors, ports or memory;
   * - `closed`: the mailer is closing, or the message is no longer this process's to send.
   */
  cause: "unreachable" | "settings" | "limited" | "exhausted" | "closed";
  /**
   * The fault with the server's own words, one line of at most 1 KiB; only for those who manage the server. Without
   * recipients' addresses: it is told of all messages, and stays when a recipient is erased.
   */
  reason: string;
  /** Ms until the next attempt at this server is useful. */
  retryAfterMs: number;
}

/**
 * Steps of a message's delivery to a server, in this order: `wait` for a turn at the server; for a new connection
 * `resolve`, `connect` (including TLS if it begins at once), `greeting`, `ehlo`, `starttls` and `auth`; then the
 * transaction, with `content` only if it is not sent in one piece with its end.
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

/** Result of one step of a message's delivery to a server. Contains no secret, whatever the server sends. */
export interface HandoverStep {
  /** The step. */
  step: HandoverStepName;
  /** Ms since the end of the step before, to a tenth. */
  ms: number;
  /** The server's reply code, if there was one. */
  code?: number;
  /** The reply's text, one line of at most 1 KiB, untrusted; for `starttls`, the agreed parameters. */
  reply?: string;
  /** The fault if the step failed, in one line. */
  error?: string;
  /** For `rcpt_to`, the recipient. */
  recipient?: string;
}

/** Result of one attempt. Mail faults are values: only programming errors are thrown. */
export interface MailResult {
  /** One result for each address of `envelope.to`, in its order. */
  recipients: RecipientResult[];
  /**
   * Set if nothing was sent for a cause that is not in the message. The recipients are then deferred with a reply that
   * any tenant may see.
   */
  held?: MailHold;
  /** Whether the final dot was sent but not answered: the server may have accepted the message. */
  inDoubt: boolean;
  /** The steps of the attempt, to explain a delay or failure. Absent if the mailer does not record them. */
  steps?: HandoverStep[];
}

/** Sends messages to mail servers. */
export interface Mailer {
  /**
   * Sends one message. Ends by itself within the mailer's timeouts; never rejects for a fault of the network or the
   * server. Awaits no `drain`, `stop` or `close` of its own service: they wait for it, until `timeoutMs` or for 25 s.
   *
   * `signal` is aborted as soon as the service stops, or once `timeoutMs` is over: a message that has not begun, for
   * example while it waits for a connection, is then returned as held by `closed`. One that has begun goes on to its end:
   * cut off, it would be in doubt, and be sent again. `isStillOurs` tells whether this process may still send it, and stays
   * false: one that was suspended for longer than its lease may have lost it to another. Ask after every wait, right
   * before what can't be undone (in SMTP the final dot), and return what was lost in the same way.
   */
  send(
    message: MailMessage,
    options?: { signal?: AbortSignal; isStillOurs?: () => boolean },
  ): Promise<MailResult>;
  /**
   * Maximum number of concurrent messages. `send` is called for no more at once, unless `backlog` or the option
   * `worker.concurrency` allows it.
   */
  readonly concurrency: number;
  /** How many further messages it takes at once, which wait in it for their turn. Default 0. */
  readonly backlog?: number;
  /**
   * Ms after which `send` is given up, a second after its signal was aborted; default one hour. The attempt is then in
   * doubt, and the message is sent again later: keep it longer than the mailer's own timeouts. `Infinity`: `send` always
   * ends by itself.
   */
  readonly timeoutMs?: number;
  /**
   * Connects to the mailer's own server and finds out whether it lets the service send, without sending. Resolves to
   * the fault in words, or to `undefined`.
   */
  verify(): Promise<string | undefined>;
  /**
   * Tests a workspace's server step by step, up to MAIL FROM if a sender is given. Sends no message. Ends within half a
   * minute. A mailer without this method supports only its own server.
   */
  probe?(server: SmtpServerAddress, options?: { from?: string | undefined }): Promise<ServerProbe>;
  /** Whether its own keys sign mail from the domain, whichever server is used. If absent, they sign none. */
  signs?(domain: string): boolean;
  /** Closes idle connections, after messages in progress are finished. */
  close(): Promise<void>;
}
