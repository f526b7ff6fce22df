import type { Repositories } from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";
import { createOutbox, type Outbox, writeOutbox } from "./outbox.ts";

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
