import type { HandoverStepName } from "@posthorn/core";
import type { SmtpConnection } from "../connection/open-connection.ts";
import type { Delivery, Ending } from "./delivery.ts";
import type { Transaction, TransactionFault, TransactionOptions } from "./transaction.ts";

/** State of one transaction under way. */
export interface TransactionState {
  connection: SmtpConnection;
  delivery: Delivery;
  options: TransactionOptions;
  /** Indexes of the recipients that the server accepted. */
  taken: number[];
  endings: (Ending | undefined)[];
  /** Recipients beyond the transaction's limit, with their outcome if there is no further transaction. */
  overflow: [place: number, ending: Ending][];
  /** Recipients that the server did not accept for reasons of its own. */
  troubled: number[];
  stage: "envelope" | "pipeline" | "data" | "content" | "dot" | "done" | "let_go";
  isSenderTaken: boolean;
  isFollowed: boolean;
  /** Whether the reply to the final dot says nothing about the content. */
  isInDoubt: boolean;
  /** The current step. */
  step: HandoverStepName;
  trouble?: TransactionFault;
  /** The place of the recipient whose reply is awaited. */
  place: number | undefined;
  /** See `Transaction`. */
  endedAt?: NonNullable<Transaction["endedAt"]>;
  /** Recipients that a further transaction may have, if the server refused the message for their number. */
  mostRecipients?: number;
}
