import { statSync } from "node:fs";
import { clearTimeout, setTimeout } from "node:timers";
import { Worker } from "node:worker_threads";
import type { Database } from "better-sqlite3";
import { findDriver } from "../connections/read-thread.ts";

/** From this size on, writing a WAL back would hold the thread for longer than a commit. */
const defaultLongBytes = 32 * 1024 * 1024;
/** Pages at which a commit writes the WAL back by itself, SQLite's default. */
const commitPages = 1_000;
/** Ms between two looks at the WAL. */
const lookMs = 250;

/**
 * Inline, so that a host bundled into one file needs no second file. A pass writes what the WAL had as it began. Once it had
 * little to write, the file is truncated: writers wait for that, without holding their threads.
 */
const script = `
const { parentPort, workerData } = require("node:worker_threads");
const Database = require(workerData.driver);
const database = new Database(workerData.file, { fileMustExist: true, timeout: 50 });
database.pragma("synchronous = FULL");
const pass = (mode) => database.pragma("wal_checkpoint(" + mode + ")")[0];
const writeBack = () => {
  for (let written = 0; ; ) {
    const { log, checkpointed } = pass("PASSIVE");
    // Beside another's, both are -1.
    if (log < 0 || checkpointed < log) return false;
    if (log - written <= 1000) return pass("TRUNCATE").busy === 0;
    written = checkpointed;
  }
};
parentPort.on("message", () => parentPort.postMessage(writeBack()));
`;

/** Writes a long WAL back in a thread of its own. */
export interface WriteBack {
  /** Called after each commit. */
  committed(): void;
  /** Whether the WAL is too long to be written back by the calling thread. */
  isLong(): boolean;
  close(): Promise<void>;
}

/**
 * The commit that finds a WAL of 4 MiB writes it back to the file, which takes it some ms. A long reader, such as a backup,
 * keeps the WAL, which may have gigabytes when it ends: the next commit would hold the thread for seconds, and the one that
 * begins the WAL anew for as long as truncating it takes. While the WAL is long, a thread does both.
 */
export function createWriteBack(
  database: Database,
  file: string,
  { longBytes = defaultLongBytes } = {},
): WriteBack {
  const driver = findDriver();
  let isUsable = driver !== undefined;
  let thread: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isAsked = false;

  const isLong = () => (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > longBytes;
  /** Ends the thread: commits write the WAL back again, as they do if no thread can be used. */
  const end = async () => {
    const gone = thread;
    if (gone === undefined) return;
    thread = undefined;
    isAsked = false;
    if (database.open) database.pragma(`wal_autocheckpoint = ${commitPages}`);
    gone.removeAllListeners("message");
    await gone.terminate();
  };
  const giveUp = () => {
    isUsable = false;
    void end();
  };
  const begin = (): Worker => {
    const made = new Worker(script, { eval: true, execArgv: [], workerData: { driver, file } });
    database.pragma("wal_autocheckpoint = 0");
    made.on("message", (isDone: boolean) => {
      isAsked = false;
      if (isDone) void end();
      else lookLater();
    });
    made.on("error", giveUp);
    made.unref();
    return made;
  };
  const look = () => {
    timer = undefined;
    if (!isUsable || isAsked) return;
    if (!isLong()) return void end();
    try {
      thread ??= begin();
      thread.postMessage("write back");
      isAsked = true;
    } catch {
      // Node refuses a thread, as without `--allow-worker` or at a limit of the system.
      giveUp();
    }
  };
  const lookLater = () => {
    if (isUsable) timer ??= setTimeout(look, lookMs).unref();
  };

  // What a process that was killed left behind is as long.
  look();
  return {
    committed: lookLater,
    isLong: () => isUsable && isLong(),
    async close() {
      isUsable = false;
      clearTimeout(timer);
      await end();
    },
  };
}
