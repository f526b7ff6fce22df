import { oneLine } from "./one-line.ts";
import type { SmtpReply } from "./reply-reader.ts";

/**
 * What a fault says besides its words. `network`: the way there or the server; `silent`: nothing came within the time-out; `tls`: no
 * TLS could be set up; `settings`: only another setting helps; `own`: this process lacks descriptors, ports or memory; `protocol`: the
 * server speaks no sense.
 */
export type SmtpFaultKind = "network" | "silent" | "tls" | "settings" | "own" | "protocol";

/** Why a conversation ended before its time. Never leaves this package: it becomes the outcome of each recipient, or a hold. */
export class SmtpFault extends Error {
  override readonly name = "SmtpFault";
  readonly kind: SmtpFaultKind;
  /** What the server said, where it said anything. */
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
