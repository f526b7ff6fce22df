import { oneLine } from "./one-line.ts";
import type { SmtpReply } from "./reply-reader.ts";

/** Why a conversation ended before its time. Never leaves this package: it becomes the outcome of each recipient. */
export class SmtpFault extends Error {
  override readonly name = "SmtpFault";
  /** What the server said, where it said anything. */
  readonly reply: SmtpReply | undefined;
  /** Whether the connection was lost, rather than slow or misused: a new one may do better. */
  readonly isLost: boolean;

  constructor(message: string, facts: { reply?: SmtpReply; isLost?: boolean } = {}) {
    super(oneLine(message));
    this.reply = facts.reply;
    this.isLost = facts.isLost ?? false;
  }
}
