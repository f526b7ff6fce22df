import type { DsnCondition, SmtpTimeouts } from "../settings/server-settings.ts";
import type { Ending } from "./delivery.ts";
import type { Verdict } from "./judge-reply.ts";

/** Reason why a transaction ended without a verdict on the mail. */
export interface TransactionFault {
  /**
   * `silent`: the commands pipelined after MAIL FROM went unanswered, though MAIL FROM was answered. `astray`: the
   * server may have been confused by an envelope behind a content, so its reply tells nothing. `reports`: it refuses
   * the parameters that request reports, though it offers DSN. `doubtful`: it closed the connection amid its replies to
   * pipelined commands, so that a refusal before may have been of another recipient.
   */
  verdict:
    | Extract<Verdict, "closing" | "limited" | "settings" | "unclear">
    | "silent"
    | "astray"
    | "reports"
    | "doubtful";
  /** Whether the content was being sent, which may have caused the fault. */
  isContent: boolean;
  /** Whether a reply or the conversation timed out: an immediate retry would take as long. */
  isSlow: boolean;
  /** Whether that happened to a message with patience, before the server got any of the content. */
  isTooSlow: boolean;
  /** The outcome of the open recipients if no retry does better. */
  ending: Ending;
}

/** One SMTP transaction on one connection. */
export interface Transaction {
  /** In the order of the recipients; `undefined` if another transaction may do better. */
  endings: (Ending | undefined)[];
  /** Whether the final dot was sent and had no reply to it: the server may have accepted the message all the same. */
  inDoubt: boolean;
  /** Whether the connection can carry another message. */
  isReusable: boolean;
  /** Whether the server took the sender. */
  isSenderTaken: boolean;
  /** Whether another message's envelope was sent with the end of the content. */
  isFollowed: boolean;
  /** Whether the message was no longer this process's to send, and its final dot was left out. */
  isLetGo: boolean;
  /** Set if endings are open for a reason other than too many recipients. */
  trouble?: TransactionFault;
  /** Recipients that a further transaction may have, if the server refused the message for their number. */
  mostRecipients?: number;
  /** The recipient at which the server ended the connection or fell silent, by its place, and whether it had taken others before. */
  endedAt?: { place: number; isAfterOthers: boolean };
}

/** Options of a transaction. */
export interface TransactionOptions {
  timeouts: SmtpTimeouts;
  /** Ms left for the conversation until the final dot. */
  remaining: number;
  /** Whether to pipeline commands if the server allows it (RFC 2920). */
  isPipelined: boolean;
  /** Ms allowed for the second reply to pipelined commands. */
  pipelinePatience: number;
  /** The reports to request; empty for no request. */
  dsn: DsnCondition[];
  /** Whether the server is somebody's own account. If that may not send as the sender, its settings are at fault. */
  isAccount: boolean;
  /** Whether the connection has carried messages before, so that it may have reached a limit of its own. */
  isReused: boolean;
  /** Whether the envelope was sent ahead, behind the content before (RFC 2920 section 3.1). */
  isAhead: boolean;
  /** Whether the server has been seen to take envelopes so. Until then a refusal beside one is not believed. */
  isAheadProven: boolean;
  /** Ms allowed for the first reply to an envelope sent ahead. */
  aheadPatience: number;
  /** The envelope to send with the end of the content, if any. */
  follow: () => string | undefined;
}
