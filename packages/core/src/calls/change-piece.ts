import type { SystemMail } from "../mail/system-mails.ts";
import type { NewEvent, NewWebhookDelivery, Repositories, Topic } from "../ports/storage.ts";

/**
 * Rows that a change causes. They are written in the change's own transaction, so that a crash neither loses nor
 * invents any.
 */
export interface Outbox {
  events: NewEvent[];
  mails: SystemMail[];
  deliveries: NewWebhookDelivery[];
  /** Topics of rows that the use case inserted itself. */
  topics: Topic[];
}

/**
 * Changes one piece of a long task in a transaction of its own, and writes its events in the same transaction. Other
 * transactions run between two pieces, and a committed piece stays even if the next one fails. For a call in a host's
 * transaction, all pieces are inside that. `workspaceId` is whose turn it is, by default the workspace's that the call
 * acts on.
 */
export type ChangePiece = <T>(
  work: (storage: Repositories, outbox: Outbox) => Promise<T>,
  workspaceId?: number,
) => Promise<T>;
