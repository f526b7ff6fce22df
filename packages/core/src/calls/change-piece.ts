import type { SystemMail } from "../mail/system-mails.ts";
import type { NewEvent } from "../ports/storage/events.ts";
import type { NewWebhookDelivery } from "../ports/storage/webhooks.ts";
import type { Repositories, Topic } from "../ports/storage.ts";

/** Rows that a change causes, written in the change's own transaction: a crash loses none and invents none. */
export interface Outbox {
  events: NewEvent[];
  mails: SystemMail[];
  deliveries: NewWebhookDelivery[];
  /** Topics of rows that the use case inserted itself. */
  topics: Topic[];
}

/**
 * Changes a piece of something long in a transaction of its own, and writes in it what tells of the change: the storage is anybody's
 * again between two, and what stands stays, whatever comes of the next. Of a call in a host's transaction, all pieces are inside that.
 */
export type ChangePiece = <T>(work: (storage: Repositories, outbox: Outbox) => Promise<T>) => Promise<T>;
