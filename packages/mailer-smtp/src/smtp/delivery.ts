import type { RecipientResult } from "@posthorn/core";
import type { MessageSource } from "../compose/message-source.ts";
import type { StepLog } from "./step-log.ts";

/** The envelope and the content of one message. */
export interface Delivery {
  from: string;
  to: string[];
  source: MessageSource;
  /** The envelope's identifier for reports of delivery (RFC 3461 section 4.4), where the server knows them. */
  envelopeId?: string;
  /** Whether an address in it goes beyond ASCII, so that only a server that knows SMTPUTF8 may have it (RFC 6531). */
  isInternational: boolean;
  /** Whether it may go only over TLS. */
  requiresTls?: boolean | undefined;
  /** Aborted when the service stops: what waits for its turn is not begun. */
  signal?: AbortSignal | undefined;
  /** Ms for which the server may leave a word unanswered before it gets the content, as another may take it. Default: its time-outs. */
  patience?: number | undefined;
  /** Told of each step. */
  log: StepLog;
}

/** What is told of a recipient, without its address. */
export type Ending = Omit<RecipientResult, "address">;
