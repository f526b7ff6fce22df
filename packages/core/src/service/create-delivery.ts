import type { NewEvent } from "../ports/storage.ts";
import { warnAboutRestoredCopy } from "../queue/restored-copy.ts";
import { createWorker, type DrainOptions } from "../queue/worker.ts";
import type { Counters } from "./counters.ts";
import { createRuntime } from "./create-runtime.ts";
import type { PosthornOptions } from "./options.ts";
import type { Runtime } from "./runtime.ts";
import { createSecretKeyCheck, type SecretKeyCheck } from "./secret-key-check.ts";

/** What a service does without being called: it delivers, and keeps its database in order. */
export interface Delivery {
  /** Throws `SecretKeyMismatch` if the secret key is not the one the database was created with. */
  checkSecretKey(): Promise<void>;
  /** Starts delivering in this thread, once the secret key is known to be right. Throws after `close`. */
  start(): void;
  /**
   * Stops delivering. Waits for messages that are being delivered, at most 25 s. Resolves to the number of those that it
   * abandons.
   */
  stop(): Promise<number>;
  /**
   * Delivers all due work until nothing is left. Returns the number of items. What a killed process had in hand is left
   * until this service is half of `worker.leaseMs` old, 15 s by default: one that only drains and ends sooner, again and
   * again, never delivers that.
   */
  drain(options?: DrainOptions): Promise<number>;
  /** Returns the counters of this worker. Reads no storage. */
  counters(): Counters;
  /** Stops delivery, then closes the service's own threads and connections. */
  close(): Promise<void>;
}

/**
 * Creates a service that only delivers, for a thread or process that nobody calls. It needs neither the use cases nor
 * the library that validates their input, which take 8 MB of it, nor the options' only workspace. Throws a `TypeError`
 * that names an invalid option.
 */
export function createDelivery(options: PosthornOptions): Delivery {
  const tell = (_events: NewEvent[]): void => {};
  const runtime = createRuntime(options, { tell });
  return deliveryOf(runtime, createSecretKeyCheck(runtime));
}

/** Returns what a runtime does without being called. */
export function deliveryOf(runtime: Runtime, secretKey: SecretKeyCheck): Delivery {
  const worker = createWorker(runtime);
  let starting: { cancel(): void } | undefined;
  let isClosed = false;
  const tellCopy = (): void =>
    void warnAboutRestoredCopy(runtime).catch((error: unknown) =>
      runtime.logger.error({ err: error }, "could not check whether the database is a restored copy"),
    );
  const stop = async (): Promise<number> => {
    starting?.cancel();
    // At once: a `start` that comes next would be ended by it, if it waited first.
    const [abandoned] = await Promise.all([worker.stop(), runtime.backgroundWork.settled()]);
    return abandoned;
  };
  return {
    async checkSecretKey() {
      await secretKey.assert();
      // Reads the database's clock, so that mail accepted from now on falls due by it.
      await runtime.queueClock.ask();
    },
    start() {
      if (isClosed) throw new Error("the service was closed: create another one to deliver");
      starting?.cancel();
      starting = secretKey.whenRight(() => {
        worker.start();
        tellCopy();
      });
    },
    stop,
    async drain(options) {
      await secretKey.assert();
      await runtime.backgroundWork.settled();
      await warnAboutRestoredCopy(runtime);
      await runtime.hits.flush();
      return await worker.drain(options);
    },
    counters: () => structuredClone(runtime.counters),
    async close() {
      isClosed = true;
      await Promise.all([stop(), runtime.hits.close()]);
      await Promise.all([runtime.inlining.close(), runtime.httpSender.close()]);
    },
  };
}
