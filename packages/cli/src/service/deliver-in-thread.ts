import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Counters } from "@posthorn/core";
import { halfMb } from "../program/young-generation.ts";
import type { DeliveryData, FromDelivery, ToDelivery } from "./delivery-messages.ts";

/** Ms between two looks whether the thread still answers. */
const lookMs = 5_000;
/** Looks without an answer after which it is given up: a minute, of which none passes while the machine sleeps. */
const patience = 12;

/** A thread that does what a worker does. */
export interface DeliveryThread {
  /** What it did since it began. What it last said, where it does not answer. */
  counters(): Promise<Counters | undefined>;
  /** Ends it after what is under way. */
  stop(): Promise<void>;
}

/** What is told of a thread that did not do as it should. */
export type DeliveryFault = (message: string, error: unknown) => void;

/**
 * Begins to deliver in a thread of its own, with a storage and a mailer of its own, so that answering requests and delivering use two
 * cores. Where the thread ends by itself or stands still, `onFault` hears of it once: the process must end.
 */
export function deliverInThread(data: DeliveryData, onFault: DeliveryFault): DeliveryThread {
  // Read when a thread's heap is made: it has the young generation at once that the main thread grows to.
  setFlagsFromString(`--min-semi-space-size=${halfMb}`);
  const thread = new Worker(programOfThread, {
    workerData: data,
    argv: [],
    // The halves, and as much room again for what is large: V8 divides it so.
    resourceLimits: { maxYoungGenerationSizeMb: 3 * halfMb },
  });
  // Other threads, such as the one that inlines, are made as V8 makes them.
  thread.once("online", () => setFlagsFromString("--min-semi-space-size=0"));
  const ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
  let last: Counters | undefined;
  let asked: { promise: Promise<void>; resolve: () => void } | undefined;
  let unanswered = 0;
  let isStopping = false;

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
    if (message.kind === "fatal") return fail("the disk failed to keep a commit", message.error);
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
    },
  };
}

/** Ms that what it did is waited for. */
const answerMs = 1_000;

/** The command itself, in the repository and as it is built: it knows by its thread what to do. */
const programOfThread = new URL(
  import.meta.url.endsWith(".ts") ? "../../bin/posthorn.js" : "../bin/posthorn.js",
  import.meta.url,
);
