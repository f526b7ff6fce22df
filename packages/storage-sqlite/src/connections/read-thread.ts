import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { createTurns, type Holder, StorageUnavailable } from "@posthorn/core/storage";

/** Ms that a read may take, including its wait. */
const patienceMs = 10_000;
/**
 * Ms that a read may wait for its turn. What is left is enough for most: one that begins shortly before its end is
 * abandoned with its thread, and others' reads with it.
 */
const waitMs = patienceMs / 2;
/** Maximum number of threads still busy with reads that took too long: SQLite's work can't be interrupted. */
const lateAtMost = 2;

/** Runs reads in a separate thread. */
export interface ReadThread {
  /**
   * Returns the rows of a read-only statement, with SQLite's values; `undefined` if no thread can be used. Rejects with
   * `StorageUnavailable` after 10 s, or 5 s without a turn.
   */
  read<R>(text: string, values: readonly unknown[], holder: Holder): Promise<R[] | undefined>;
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

/** Who waits for a read. */
interface Reader {
  timer: NodeJS.Timeout;
  resolve(rows: unknown[] | undefined): void;
  reject(error: unknown): void;
}

/** The path of better-sqlite3; `undefined` if a bundler made it impossible to find. */
export function findDriver(): string | undefined {
  try {
    // A CommonJS bundle has no URL of its own, but a file name, which ES modules lack.
    const here = typeof __filename === "string" ? __filename : import.meta.url;
    return createRequire(here).resolve("better-sqlite3");
  } catch {
    return undefined;
  }
}

const tooLong = () => new StorageUnavailable("the read took too long");

/**
 * Creates the thread for reads of a file that may be long, so that the calling thread goes on meanwhile. Reads run one
 * after another, and their holders take turns; one that takes too long is abandoned, and those behind it continue in a
 * new thread. The thread starts with the first read.
 */
export function createReadThread(file: string, pragmas: readonly string[]): ReadThread {
  const driver = findDriver();
  const turns = createTurns({ all: 1, patience: { ms: waitMs, error: tooLong } });
  let worker: Worker | undefined;
  /** Workers that were given up and have not yet ended. */
  const late = new Set<Worker>();
  let current: Reader | undefined;
  let isUsable = driver !== undefined;
  let closed: Error | undefined;

  const end = (): Reader | undefined => {
    const reader = current;
    clearTimeout(reader?.timer);
    current = undefined;
    return reader;
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
      else if ("rows" in said) end()?.resolve(said.rows);
      else end()?.reject(Object.assign(new Error(said.failure.message), { code: said.failure.code }));
    });
    made.on("error", (error) => {
      // One that was given up before: another thread reads by now.
      if (made !== worker) return;
      discard();
      isUsable = isReady;
      const reader = end();
      if (isReady) reader?.reject(new StorageUnavailable("the reading thread failed", { cause: error }));
      else reader?.resolve(undefined);
    });
    made.unref();
    return made;
  };
  const abandon = (): void => {
    discard();
    end()?.reject(tooLong());
  };
  const ask = (text: string, values: readonly unknown[], ms: number): Promise<unknown[] | undefined> =>
    new Promise((resolve, reject) => {
      // The timer keeps the process alive; the thread does not.
      current = { timer: setTimeout(abandon, ms), resolve, reject };
      try {
        worker ??= begin();
        worker.postMessage({ text, values });
      } catch {
        // Node refuses a thread, as without `--allow-worker` or at a limit of the system: the calling thread reads.
        end()?.resolve(undefined);
      }
    });

  return {
    async read<R>(text: string, values: readonly unknown[], holder: Holder) {
      if (!isUsable || closed !== undefined) return undefined;
      const deadline = performance.now() + patienceMs;
      const leave = await turns.enter(holder);
      try {
        if (closed !== undefined) throw closed;
        if (!isUsable) return undefined;
        const left = deadline - performance.now();
        if (left <= 0 || late.size >= lateAtMost) throw tooLong();
        return (await ask(text, values, left)) as R[] | undefined;
      } finally {
        leave();
      }
    },
    async close() {
      closed = new StorageUnavailable("the storage was closed", { isFinal: true });
      turns.close(closed);
      end()?.reject(closed);
      const gone = worker;
      worker = undefined;
      await gone?.terminate();
    },
  };
}
