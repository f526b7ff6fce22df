import type { JoinedRepositories, Repositories } from "../ports/storage.ts";
import type { Facilities, Runtime } from "../service/runtime.ts";
import type { Outbox } from "./change-piece.ts";
import { createOutbox, writeOutbox } from "./outbox.ts";

/**
 * Changes something in a transaction of the service's own, and writes in it what tells of the change. Who listens is told once it
 * stands: of what is rolled back nobody hears.
 */
export async function changeAndTell<T>(
  runtime: Runtime,
  work: (storage: Repositories, outbox: Outbox) => Promise<T>,
): Promise<T> {
  const { result, events, topics } = await runtime.storage.transaction(async (storage) => {
    const outbox = createOutbox();
    const result = await work(storage, outbox);
    return { result, events: outbox.events, topics: await writeOutbox(runtime, storage, outbox) };
  });
  runtime.tell(events);
  if (topics.length > 0) await runtime.storage.notify(topics);
  return result;
}

/**
 * Changes something inside a transaction of the host's. What the host may yet roll back is not told here; whoever follows the events
 * sees it once it is committed.
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
