import { setTimeout as delay } from "node:timers/promises";
import { StorageUnavailable } from "@posthorn/core/storage";
import type { Database } from "better-sqlite3";
import type { WriteTurns } from "./write-turns.ts";

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

/** A turn that was taken, and what it failed with. */
interface Taken {
  turn: Turn;
  fault: { error: unknown } | undefined;
}

/** One writing connection's line of transactions. */
export interface GroupCommit {
  /**
   * Runs `work` as a savepoint in a transaction that it shares with all that wait, and answers when that is committed. If
   * `work` rejects, what it did is rolled back, and nothing else; that, too, is answered when the transaction has ended. Where `work`
   * waits for nothing but this database, the transaction begins and ends within one turn of the event loop: no code of the host's runs
   * while it is open.
   */
  enqueue<T>(work: () => T | Promise<T>): Promise<T>;
  /** Runs `read` while no transaction is open, neither of ours nor of the host's. */
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
  /** Turns that it takes with others who write to the same file. */
  writeTurns: WriteTurns;
}

export const createGroupCommit = ({
  database,
  onError,
  assertUsable,
  writeTurns,
}: GroupCommitOptions): GroupCommit => {
  const turns: Turn[] = [];
  const reads: ((fault: { error: unknown } | undefined) => void)[] = [];
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

  /**
   * Tries until it answers whether it could. The driver's own wait blocks the thread (M4), so it is short or none, and repeated from
   * here. On a handle that is the host's too, the host's transaction is waited for likewise.
   */
  const patiently = async (attempt: () => void): Promise<void> => {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      assertUsable();
      let cause: unknown;
      try {
        if (!database.inTransaction) return attempt();
      } catch (error) {
        if (!String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY")) throw error;
        cause = error;
      }
      if (performance.now() > deadline) {
        const holder =
          cause === undefined
            ? "a transaction of the host's is open on the handle; pass it as `transaction`, or end it"
            : "another process, or a transaction of the host's, holds the database";
        throw new StorageUnavailable(holder, { cause });
      }
      await delay(retryMs);
    }
  };

  const rollback = () => {
    if (database.inTransaction) statements.rollback.run();
  };

  /** The first of a group has the transaction as its savepoint: of each page that changes under one, SQLite keeps a copy. */
  const take = async (turn: Turn, isFirst: boolean): Promise<Taken> => {
    try {
      if (!isFirst) statements.savepoint.run();
      await turn.work();
      if (!database.inTransaction) throw new StorageUnavailable("SQLite rolled the transaction back");
      if (!isFirst) statements.release.run();
      return { turn, fault: undefined };
    } catch (error) {
      onError(error);
      if (isFirst) rollback();
      else if (database.inTransaction) {
        statements.rollbackTo.run();
        statements.release.run();
      }
      return { turn, fault: { error } };
    }
  };

  /** What failed alone keeps its own fault; what stood is lost with the commit. */
  const answer = (taken: Taken[], lost?: { error: unknown }) => {
    for (const { turn, fault = lost } of taken) {
      if (fault === undefined) turn.done();
      else turn.failed(fault.error);
    }
  };

  const runGroup = async () => {
    const taken: Taken[] = [];
    try {
      await patiently(() => void statements.begin.run());
    } catch (error) {
      onError(error);
      for (const turn of turns.splice(0)) turn.failed(error);
      return;
    }
    try {
      for (let count = 0; count < groupSize && database.inTransaction; count += 1) {
        const turn = turns.shift();
        if (!turn) break;
        taken.push(await take(turn, count === 0));
        // With the first, all was rolled back that there was: whoever waits is the next group.
        if (count === 0 && taken[0]?.fault !== undefined) return answer(taken);
      }
      // A full disk makes SQLite roll the whole back by itself.
      if (!database.inTransaction) throw new StorageUnavailable("SQLite rolled the transaction back");
      statements.commit.run();
    } catch (error) {
      onError(error);
      rollback();
      answer(taken, { error });
      return;
    }
    answer(taken);
  };

  const takeTurn = async () => {
    await writeTurns.enter();
    try {
      await runGroup();
    } finally {
      writeTurns.leave();
    }
  };

  const runReads = async () => {
    if (reads.length === 0) return;
    let fault: { error: unknown } | undefined;
    await patiently(() => {}).catch((error: unknown) => {
      fault = { error };
    });
    for (const read of reads.splice(0)) read(fault);
  };

  const runAll = async () => {
    while (turns.length > 0 || reads.length > 0) {
      // Requests that arrive in the same tick join the group; and whoever was answered goes on before the next begins.
      await new Promise((resolve) => setImmediate(resolve));
      if (turns.length > 0) await takeTurn();
      await runReads();
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
      if (!running && !database.inTransaction) return read();
      return new Promise((resolve, reject) => {
        reads.push((fault) => {
          if (fault !== undefined) return reject(fault.error);
          try {
            resolve(read());
          } catch (error) {
            reject(error);
          }
        });
        running ??= runAll();
      });
    },
    async close() {
      closed = true;
      await running;
    },
  };
};
