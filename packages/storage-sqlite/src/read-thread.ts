import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { StorageUnavailable } from "@posthorn/core/storage";

/** Ms that a read may take, including its wait. */
const patienceMs = 10_000;
/** Maximum number of threads still busy with reads that took too long: SQLite's work can't be interrupted. */
const lateAtMost = 2;

/** Runs reads in a separate thread. */
export interface ReadThread {
  /**
   * Returns the rows of a read-only statement, with SQLite's values; `undefined` if no thread can be used. Rejects with
   * `StorageUnavailable` after 10 s.
   */
  read<R>(text: string, values: readonly unknown[]): Promise<R[] | undefined>;
  close(): Promise<void>;
}

/** A message of the thread: that it is ready, its rows, or its error. */
type Said = { rows: unknown[] } | { failure: { message: string; code: unknown } } | "ready";

/** Inline, so that a host bundled into one file needs no second file. */
const script = `
const { parentPort, workerData } = require("node:worker_threads");
const Database = require(workerData.driver);
const database = new Database(workerData.file, { readonly: true, timeout: 10 });
for (const pragma of workerData.pragmas) database.pragma(pragma);
parentPort.on("message", ({ text, values }) => {
  try {
    parentPort.postMessage({ rows: database.prepare(text).safeIntegers(false).all(values) });
  } catch ({ message, code }) {
    parentPort.postMessage({ failure: { message, code } });
  }
});
parentPort.postMessage("ready");
`;

/** A read and its caller. */
interface Asked {
  text: string;
  values: readonly unknown[];
  deadline: number;
  resolve(rows: unknown[] | undefined): void;
  reject(error: unknown): void;
}

/** The path of better-sqlite3; `undefined` if a bundler made it impossible to find. */
function findDriver(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve("better-sqlite3");
  } catch {
    return undefined;
  }
}

/**
 * Creates the thread for reads of a file that may be long, so that the calling thread goes on meanwhile. Reads run one
 * after another; one that takes too long is abandoned, and those behind it continue in a new thread. The thread starts
 * with the first read.
 */
export function createReadThread(file: string, pragmas: readonly string[]): ReadThread {
  const driver = findDriver();
  const waiting: Asked[] = [];
  let worker: Worker | undefined;
  /** Workers that were given up and have not yet ended. */
  const late = new Set<Worker>();
  let current: { asked: Asked; timer: NodeJS.Timeout } | undefined;
  let isUsable = driver !== undefined;
  let isClosed = false;

  const end = (): Asked | undefined => {
    const asked = current?.asked;
    clearTimeout(current?.timer);
    current = undefined;
    return asked;
  };
  const discard = (): void => {
    const gone = worker;
    worker = undefined;
    if (gone === undefined) return;
    gone.removeAllListeners("message");
    late.add(gone);
    void gone.terminate().then(() => late.delete(gone));
  };
  const begin = (): Worker => {
    const made = new Worker(script, { eval: true, execArgv: [], workerData: { driver, file, pragmas } });
    let isReady = false;
    made.on("message", (said: Said) => {
      if (said === "ready") isReady = true;
      else {
        const asked = end();
        if ("rows" in said) asked?.resolve(said.rows);
        else asked?.reject(Object.assign(new Error(said.failure.message), { code: said.failure.code }));
        next();
      }
    });
    made.on("error", (error) => {
      discard();
      isUsable = isReady;
      const asked = end();
      if (isReady) asked?.reject(new StorageUnavailable("the reading thread failed", { cause: error }));
      else asked?.resolve(undefined);
      next();
    });
    made.unref();
    return made;
  };
  const tooLong = (): void => {
    discard();
    end()?.reject(new StorageUnavailable("the read took too long"));
    next();
  };
  const next = (): void => {
    if (current !== undefined) return;
    const asked = waiting.shift();
    if (asked === undefined) return;
    const left = asked.deadline - performance.now();
    if (!isUsable) asked.resolve(undefined);
    else if (left <= 0 || late.size >= lateAtMost)
      asked.reject(new StorageUnavailable("the read took too long"));
    else {
      // The timer keeps the process alive; the thread does not.
      current = { asked, timer: setTimeout(tooLong, left) };
      worker ??= begin();
      worker.postMessage({ text: asked.text, values: asked.values });
      return;
    }
    next();
  };

  return {
    read<R>(text: string, values: readonly unknown[]) {
      if (!isUsable || isClosed) return Promise.resolve(undefined);
      const { promise, resolve, reject } = Promise.withResolvers<unknown[] | undefined>();
      waiting.push({ text, values, deadline: performance.now() + patienceMs, resolve, reject });
      next();
      return promise as Promise<R[] | undefined>;
    },
    async close() {
      isClosed = true;
      for (const asked of [end(), ...waiting.splice(0)])
        asked?.reject(new StorageUnavailable("the storage was closed"));
      const gone = worker;
      worker = undefined;
      await gone?.terminate();
    },
  };
}
