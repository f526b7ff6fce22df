import { setTimeout as delay } from "node:timers/promises";
import { StorageUnavailable } from "@posthorn/core/storage";
import type { Database } from "better-sqlite3";

/** So many transactions at most share a commit, so that the first doesn't wait for the last of a long line. */
const groupSize = 512;
/** How long a group tries to get the write lock before it gives up. */
const patienceMs = 2_000;
const retryMs = 10;

interface Turn {
  work: () => Promise<void>;
  done: () => void;
  failed: (error: unknown) => void;
}

/** One writing connection's line of transactions. */
export interface GroupCommit {
  /**
   * Runs `work` as a savepoint in a transaction that it shares with all that wait, and answers when that is committed. If
   * `work` rejects, what it did is rolled back, and nothing else.
   */
  enqueue<T>(work: () => T | Promise<T>): Promise<T>;
  /** Runs `read` while no transaction is open. */
  between<T>(read: () => T): Promise<T>;
  /** Waits for the transactions in line; later ones are refused. */
  close(): Promise<void>;
}

export interface GroupCommitOptions {
  database: Database;
  /** Hears of every error, those of the work included. */
  onError(error: unknown): void;
  /** Throws if nothing may be done any more. */
  assertUsable(): void;
}

export const createGroupCommit = ({ database, onError, assertUsable }: GroupCommitOptions): GroupCommit => {
  const turns: Turn[] = [];
  const reads: (() => void)[] = [];
  const statements = {
    begin: database.prepare("begin immediate"),
    commit: database.prepare("commit"),
    rollback: database.prepare("rollback"),
    savepoint: database.prepare("savepoint turn"),
    release: database.prepare("release turn"),
    rollbackTo: database.prepare("rollback to turn"),
  };
  let running: Promise<void> | undefined;
  let closed = false;

  /** The driver's own wait blocks the thread (M4), so it is short and repeated from here. */
  const begin = async () => {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      assertUsable();
      try {
        if (!database.inTransaction) return statements.begin.run();
      } catch (error) {
        const busy = (error as { code?: string }).code?.startsWith("SQLITE_BUSY");
        if (!busy || performance.now() > deadline) throw error;
      }
      // Also where the host has a transaction of its own open on a shared handle.
      if (performance.now() > deadline) throw new StorageUnavailable("another process holds the database");
      await delay(retryMs);
    }
  };

  const rollback = () => {
    if (database.inTransaction) statements.rollback.run();
  };

  /** Whether the turn's changes stand, to be answered after the commit. */
  const take = async (turn: Turn): Promise<boolean> => {
    try {
      statements.savepoint.run();
      await turn.work();
      if (!database.inTransaction) throw new StorageUnavailable("SQLite rolled the transaction back");
      statements.release.run();
      return true;
    } catch (error) {
      onError(error);
      turn.failed(error);
      if (database.inTransaction) {
        statements.rollbackTo.run();
        statements.release.run();
      }
      return false;
    }
  };

  const runGroup = async () => {
    const standing: Turn[] = [];
    try {
      await begin();
    } catch (error) {
      onError(error);
      for (const turn of turns.splice(0)) turn.failed(error);
      return;
    }
    try {
      for (let count = 0; count < groupSize && database.inTransaction; count += 1) {
        const turn = turns.shift();
        if (!turn) break;
        if (await take(turn)) standing.push(turn);
      }
      // A full disk makes SQLite roll the whole back by itself.
      if (!database.inTransaction) throw new StorageUnavailable("SQLite rolled the transaction back");
      statements.commit.run();
    } catch (error) {
      onError(error);
      rollback();
      for (const turn of standing) turn.failed(error);
      return;
    }
    for (const turn of standing) turn.done();
  };

  const runAll = async () => {
    // Requests that arrive in the same tick join the group.
    await new Promise((resolve) => setImmediate(resolve));
    while (turns.length > 0) {
      await runGroup();
      for (const read of reads.splice(0)) read();
    }
    running = undefined;
  };

  return {
    enqueue<T>(work: () => T | Promise<T>) {
      if (closed) return Promise.reject(new StorageUnavailable("the storage is closed"));
      return new Promise<T>((resolve, reject) => {
        let result: T;
        turns.push({
          work: async () => {
            result = await work();
          },
          done: () => resolve(result),
          failed: reject,
        });
        running ??= runAll();
      });
    },
    async between(read) {
      if (!running) return read();
      return new Promise((resolve, reject) => {
        reads.push(() => {
          try {
            resolve(read());
          } catch (error) {
            reject(error);
          }
        });
      });
    },
    async close() {
      closed = true;
      await running;
    },
  };
};
