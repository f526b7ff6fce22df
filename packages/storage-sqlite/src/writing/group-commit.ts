import { setImmediate } from "node:timers";
import { setTimeout as delay } from "node:timers/promises";
import { StorageUnavailable } from "@posthorn/core/storage";
import type { Database } from "better-sqlite3";
import { isBusy } from "../connections/open-database.ts";
import type { WriteTurns } from "./write-turns.ts";

/** Maximum number of transactions that share a commit, so that the first does not wait for the last of a long queue. */
const groupSize = 512;
/** Ms for which a group tries to get the write lock before it fails. */
const patienceMs = 2_000;
const retryMs = 10;

/** Words for who may hold the database when a wait was in vain. */
const heldByHost = "a transaction of the host's is open on the handle; pass it as `transaction`, or end it";
const heldElsewhere = "another process, or a transaction of the host's, holds the database";
const heldByThread = "another thread of this process, or another process, holds the database";

interface Turn {
  work: () => Promise<void>;
  done: () => void;
  failed: (error: unknown) => void;
}

/** A transaction that was run, and its error if it failed. */
interface Taken {
  turn: Turn;
  fault: { error: unknown } | undefined;
}

/** The queue of transactions of one writing connection. */
export interface GroupCommit {
  /**
   * Runs `work` as a savepoint in a transaction shared with all waiting work, and resolves when that is committed. If
   * `work` rejects, only its own changes are rolled back; it, too, is answered when the transaction has ended. If
   * `work` awaits nothing but this database, the transaction begins and ends within one turn of the event loop: no code
   * of the host's runs while it is open.
   */
  enqueue<T>(work: () => T | Promise<T>): Promise<T>;
  /** Runs `read` while no transaction is open, neither ours nor the host's. */
  between<T>(read: () => T): Promise<T>;
  /** Waits for queued transactions; later ones are refused. */
  close(): Promise<void>;
}

export interface GroupCommitOptions {
  database: Database;
  /** The host's handle, if the storage was opened with one. */
  host?: Database | undefined;
  /** Called with each error, those of `work` included. */
  onError(error: unknown): void;
  /** Throws if the storage may no longer be used. */
  assertUsable(): void;
  /** Takes turns with other writers of the same file. */
  writeTurns: WriteTurns;
  /** Called after each commit. */
  onCommit?: (() => void) | undefined;
}

export const createGroupCommit = ({
  database,
  host = database,
  onError,
  assertUsable,
  writeTurns,
  onCommit,
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
  /** Whether a transaction of ours stayed open: the driver refuses to roll back while a host iterates over the handle. */
  let isLeftOpen = false;

  /**
   * Retries the attempt while the database is busy. The driver's own wait blocks the thread (M4), so it is short or zero, and
   * repeated from here. On a handle shared with the host, it waits for the host's transaction in the same way.
   */
  const patiently = async (attempt: () => void, hasTurn = true): Promise<void> => {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      assertUsable();
      let cause: unknown;
      try {
        if (isLeftOpen) rollback();
        if (!database.inTransaction) return attempt();
      } catch (error) {
        if (!isBusy(error)) throw error;
        cause = error;
      }
      if (performance.now() > deadline) {
        const isHosts = cause === undefined || host.inTransaction;
        throw new StorageUnavailable(isHosts ? heldByHost : hasTurn ? heldElsewhere : heldByThread, {
          cause,
        });
      }
      await delay(retryMs);
    }
  };

  const rollback = () => {
    isLeftOpen = database.inTransaction;
    if (isLeftOpen) statements.rollback.run();
    isLeftOpen = false;
  };

  /** The first transaction of a group needs no savepoint: under one, SQLite keeps a copy of each page that changes. */
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

  /** A transaction that failed by itself keeps its own error; the others fail with the commit. */
  const answer = (taken: Taken[], lost?: { error: unknown }) => {
    for (const { turn, fault = lost } of taken) {
      if (fault === undefined) turn.done();
      else turn.failed(fault.error);
    }
  };

  const runGroup = async (hasTurn: boolean) => {
    const taken: Taken[] = [];
    try {
      await patiently(() => void statements.begin.run(), hasTurn);
    } catch (error) {
      onError(error);
      for (const turn of turns.splice(0)) turn.failed(error);
      return;
    }
    let underWay: Turn | undefined;
    try {
      for (let count = 0; count < groupSize && database.inTransaction; count += 1) {
        underWay = turns.shift();
        if (!underWay) break;
        taken.push(await take(underWay, count === 0));
        underWay = undefined;
        // The first one had no savepoint, so its failure rolled everything back: waiting transactions form the next
        // group.
        if (count === 0 && taken[0]?.fault !== undefined) return answer(taken);
      }
      // If the disk is full, SQLite rolls back the whole transaction by itself.
      if (!database.inTransaction) throw new StorageUnavailable("SQLite rolled the transaction back");
      statements.commit.run();
    } catch (error) {
      onError(error);
      try {
        rollback();
      } catch (left) {
        onError(left);
      }
      answer(taken, { error });
      underWay?.failed(error);
      return;
    }
    onCommit?.();
    answer(taken);
  };

  const takeTurn = async () => {
    const hasTurn = await writeTurns.enter();
    try {
      await runGroup(hasTurn);
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
      // Requests of the same tick join the group, and callers that were answered continue before the next group begins.
      await new Promise((resolve) => setImmediate(resolve));
      if (turns.length > 0) await takeTurn();
      await runReads();
    }
    running = undefined;
  };

  return {
    enqueue<T>(work: () => T | Promise<T>) {
      if (closed) return Promise.reject(new StorageUnavailable("the storage is closed", { isFinal: true }));
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
