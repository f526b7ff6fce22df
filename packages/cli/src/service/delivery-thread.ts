import { parentPort, workerData } from "node:worker_threads";
import { createLogger } from "../terminal/create-logger.ts";
import type { DeliveryData, FromDelivery, ToDelivery } from "./delivery-messages.ts";
import { openService } from "./open-service.ts";

/** Delivers queued e-mails in the thread that `deliverInThread` started, until it is asked to stop. */
export async function runDelivery(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error("only a thread of posthorn serve runs this");
  const { values, baseUrl, writeTurns } = workerData as DeliveryData;
  const say = (message: FromDelivery): void => port.postMessage(message);
  const service = await openService(values, {
    mail: "deliver",
    logger: createLogger(values.log_level),
    baseUrl,
    writeTurns,
    onFatal: (error) => say({ kind: "fatal", error }),
  });
  const { posthorn } = service;
  const stop = async (): Promise<void> => {
    await posthorn.stop();
    await service.close();
    port.close();
  };
  port.on("message", (message: ToDelivery) => {
    if (message === "count") say({ kind: "counted", counters: posthorn.counters() });
    else void stop();
  });
  posthorn.start();
}
