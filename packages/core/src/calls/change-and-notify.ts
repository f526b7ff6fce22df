import type { JoinedRepositories, Repositories } from "../ports/storage.ts";
import type { Holder } from "../ports/turns.ts";
import type { Facilities, Runtime } from "../service/runtime.ts";
import type { Outbox } from "./change-piece.ts";
import { createOutbox, writeOutbox } from "./outbox.ts";

/**
 * Runs a change in a transaction of the service's own, and writes its events, mails and deliveries in the same
 * transaction. Listeners are notified after the commit, and never of a change that was rolled back. `holder` is whom the
 * change is for, if it is a caller's.
 */
export async function changeAndNotify<T>(
  runtime: Runtime,
  work: (storage: Repositories, outbox: Outbox) => Promise<T>,
  holder?: Holder,
): Promise<T> {
  const { result, events, topics } = await runtime.storage.transaction(async (storage) => {
    const outbox = createOutbox();
    const result = await work(storage, outbox);
    return { result, events: outbox.events, topics: await writeOutbox(runtime, storage, outbox) };
  }, holder);
  runtime.tell(events);
  if (topics.length > 0) await runtime.storage.notify(topics);
  return result;
}

/**
 * Runs a change inside a transaction of the host's. Listeners are not notified here, as the host may roll back;
 * followers of the events see the change once it is committed.
 */
export async function changeWithin<T>(
  runtime: Facilities,
  storage: JoinedRepositories,
  work: (storage: Repositories, outbox: Outbox) => Promise<T>,
): Promise<T> {
  const outbox = createOutbox();
  const result = await work(storage, outbox);
  const topics = await writeOutbox(runtime, storage, outbox);
  if (topics.length > 0) await storage.notify(topics);
  return result;
}
