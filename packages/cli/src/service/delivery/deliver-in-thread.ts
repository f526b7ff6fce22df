import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Counters } from "@posthorn/core";
import { halfMb } from "../../program/process/young-generation.ts";
import type { DeliveryData, FromDelivery, ToDelivery } from "./delivery-messages.ts";

/** Ms between two checks whether the thread answers. */
const lookMs = 5_000;
/**
 * Checks without an answer after which the thread is given up: a minute, not counting time in which the machine sleeps.
 */
const patience = 12;

/** A thread that works like a worker. */
export interface DeliveryThread {
  /** Counters since its start; the last known ones if it does not answer. */
  counters(): Promise<Counters | undefined>;
  /** Ends the thread after deliveries in progress. Resolves to the number of those that it abandons. */
  stop(): Promise<number>;
}

/** Reports a fault of the thread. */
export type DeliveryFault = (message: string, error: unknown) => void;

/**
 * Starts to deliver in a separate thread, with its own storage and mailer, so that answering requests and delivering
 * use two cores. If the thread ends by itself or is blocked, `onFault` is called once: the process must end.
 */
export function deliverInThread(data: DeliveryData, onFault: DeliveryFault): DeliveryThread {
  // V8 reads this when a thread's heap is created: it gets the young generation at once that the main thread grows to.
  setFlagsFromString(`--min-semi-space-size=${halfMb}`);
  const thread = new Worker(programOfThread, {
    workerData: data,
    argv: [],
    // The two halves, and the size of one more for large objects: V8 divides it so.
    resourceLimits: { maxYoungGenerationSizeMb: 3 * halfMb },
  });
  // Other threads, such as the one that inlines, keep V8's defaults.
  thread.once("online", () => setFlagsFromString("--min-semi-space-size=0"));
  const ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
  let last: Counters | undefined;
  let asked: { promise: Promise<void>; resolve: () => void } | undefined;
  let unanswered = 0;
  let isStopping = false;
  let abandoned = 0;

  const fail = (message: string, error: unknown): void => {
    if (isStopping) return;
    isStopping = true;
    clearInterval(looking);
    onFault(message, error);
  };
  const tell = (message: ToDelivery): void => thread.postMessage(message);
  const ask = (): Promise<void> => {
    asked ??= Promise.withResolvers<void>();
    tell("count");
    return asked.promise;
  };
  const looking = setInterval(() => {
    unanswered += 1;
    if (unanswered > patience)
      fail("the delivery thread does not respond", new Error("no answer for a minute"));
    else void ask();
  }, lookMs).unref();

  thread.on("message", (message: FromDelivery) => {
    unanswered = 0;
    if (message.kind === "fatal") return fail("the storage failed", message.error);
    if (message.kind === "stopped") {
      abandoned = message.abandoned;
      return;
    }
    last = message.counters;
    asked?.resolve();
    asked = undefined;
  });
  thread.on("error", (error) => fail("the delivery thread failed", error));
  void ended.then(() => fail("the delivery thread ended", new Error("it was not asked to")));

  return {
    async counters() {
      const answer = ask();
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, answerMs);
      await Promise.race([answer, promise, ended]);
      clearTimeout(timer);
      return last;
    },
    async stop() {
      isStopping = true;
      clearInterval(looking);
      tell("stop");
      await ended;
      return abandoned;
    },
  };
}

/** Maximum ms to wait for the thread's counters. */
const answerMs = 1_000;

/** Path of the command itself, in the repository and as built: within a thread it runs `runDelivery`. */
const programOfThread = new URL(
  import.meta.url.endsWith(".ts") ? "../../../bin/posthorn.js" : "../bin/posthorn.js",
  import.meta.url,
);
