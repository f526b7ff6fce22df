import { oneLine } from "@posthorn/core/internal";
import type { SmtpReply } from "./reply-reader.ts";

/**
 * Kind of the fault that ended the conversation. `network`: the network or the server; `silent`: nothing arrived within
 * the time-out; `overdue`: the conversation as a whole took too long; `tls`: TLS could not be set up; `settings`: only other settings help; `own`: this process lacks
 * descriptors, ports or memory; `protocol`: the server does not follow SMTP.
 */
export type SmtpFaultKind = "network" | "silent" | "overdue" | "tls" | "settings" | "own" | "protocol";

/** Ends a conversation early. It never leaves this package: it becomes the outcome of each recipient, or a hold. */
export class SmtpFault extends Error {
  override readonly name = "SmtpFault";
  readonly kind: SmtpFaultKind;
  /** The server's reply, if there was one. */
  readonly reply: SmtpReply | undefined;

  constructor(kind: SmtpFaultKind, message: string, reply?: SmtpReply) {
    super(oneLine(message));
    this.kind = kind;
    this.reply = reply;
  }

  /** The fault with the server's words, on one line. */
  get words(): string {
    return this.reply === undefined ? this.message : oneLine(`${this.message}: ${this.reply.text}`);
  }
}
