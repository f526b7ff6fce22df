import type { MailMessage, RecipientResult } from "@posthorn/core";
import type { MessageSource } from "../../compose/message-source.ts";
import type { StepLog } from "./step-log.ts";

/** Envelope and content of one message. */
export interface Delivery {
  from: string;
  to: string[];
  source: MessageSource;
  /**
   * The envelope identifier for delivery status notifications (RFC 3461 section 4.4), sent if the server supports them.
   */
  envelopeId?: string;
  /** Whether an address goes beyond ASCII, so that only a server with SMTPUTF8 may have the message (RFC 6531). */
  isInternational: boolean;
  /** Whether the message may be sent only over TLS. */
  requiresTls?: boolean | undefined;
  /** Whether the message may be sent only over a connection with a login. */
  needsLogin?: boolean | undefined;
  /** The workspace whose message it is; `undefined` for the service's own. */
  workspaceId?: number | undefined;
  /** How urgent it is, see `MailMessage`. Default: normal. */
  lane?: MailMessage["lane"];
  /** Aborted when the service stops: a message that waits for its turn is not begun. */
  signal?: AbortSignal | undefined;
  /** Whether the message is still this process's to send: if not, its final dot is not sent. */
  isStillOurs?: (() => boolean) | undefined;
  /**
   * Ms that the server may take for each reply before it gets the content, while another server could take the message.
   * Default: its time-outs.
   */
  patience?: number | undefined;
  /** Records each step. */
  log: StepLog;
}

/** A recipient's outcome, without its address. */
export type Ending = Omit<RecipientResult, "address">;
