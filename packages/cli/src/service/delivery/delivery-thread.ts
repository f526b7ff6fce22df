import { parentPort, workerData } from "node:worker_threads";
import { createDelivery } from "@posthorn/core/internal";
import { createLogger } from "../../terminal/create-logger.ts";
import { openStorage } from "../database/open-storage.ts";
import { openMailer } from "../open-mailer.ts";
import { takeSecretKey } from "../secrets/secret-key.ts";
import { serviceOptions } from "../service-options.ts";
import type { DeliveryData, FromDelivery, ToDelivery } from "./delivery-messages.ts";

/**
 * Delivers queued e-mails in the thread that `deliverInThread` started, until it is asked to stop. The main thread has
 * checked settings and database.
 */
export async function runDelivery(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error("only a thread of posthorn serve runs this");
  const { values, baseUrl, writeTurns } = workerData as DeliveryData;
  const say = (message: FromDelivery): void => port.postMessage(message);
  const logger = createLogger(values.log_level);
  const onFatal = (error: unknown): void => say({ kind: "fatal", error });
  const storage = await openStorage(values, { make: false, logger, writeTurns, onFatal });
  const secretKey = await takeSecretKey(values, storage);
  const { mailer } = await openMailer(values, "deliver");
  const delivery = createDelivery(serviceOptions(values, { storage, mailer, secretKey, logger, baseUrl }));
  await delivery.checkSecretKey();
  const stop = async (): Promise<void> => {
    say({ kind: "stopped", abandoned: await delivery.stop() });
    await delivery.close();
    await mailer.close();
    await storage.close();
    port.close();
  };
  port.on("message", (message: ToDelivery) => {
    if (message === "count") say({ kind: "counted", counters: delivery.counters() });
    else void stop();
  });
  delivery.start();
}
