import { createMutex, type Engine, enterBySign, lineOf, noStream, portError } from "@posthorn/storage-sql";
import type { CompiledQuery } from "kysely";
import type { PostgresConnection } from "../connections/postgres-dialect.ts";
import { isAborted, isReadTimeout, mustRepeat } from "../postgres-errors.ts";
import { faultOfTransaction } from "./fault-of-transaction.ts";
import type { Sign } from "./fence.ts";
import { executorOf } from "./host-transaction.ts";

/** How often a transaction is asked for its sign while it is aborted. */
const signTries = 3;

/**
 * Connections inside a transaction that the host begins and ends: statements go directly to it, and a transaction of
 * ours is a savepoint that no other statement of ours enters.
 */
export const createConnectionsWithin = (
  handle: unknown,
  engine: Engine,
  timeoutMs: number,
): (() => PostgresConnection) => {
  const host = executorOf(handle);
  const enter = lineOf(handle as object);

  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      host.assertOpen();
      return await work();
    } catch (error) {
      // The host recognises it by its library's own error, as for its own statements, and repeats its transaction.
      if (mustRepeat(error)) throw (error instanceof Error && error.cause) || error;
      throw faultOfTransaction(error) ?? portError(engine, error);
    }
  };

  /** Asks again where a statement of another call has just failed: its rollback is on its way. */
  const signOf = async (): Promise<Sign | undefined> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await guarded(() => host.sign());
      } catch (error) {
        if (!isAborted(error) || tries === signTries) throw error;
      }
    }
  };
  /**
   * Waits for the turn on the handle, then on its transaction: a host may wrap that for each of several calls at a time,
   * and a savepoint of one in that of another would be undone, or kept, with it.
   */
  const enterTransaction = async (): Promise<{ isKnownInside: boolean; leave: () => void }> => {
    const leaveHandle = await enter();
    try {
      const sign = await signOf();
      const turn = sign && (await enterBySign(sign.key));
      const leave = (): void => {
        turn?.leave();
        leaveHandle();
      };
      return { isKnownInside: sign?.isNew === true && turn?.hasWaited === false, leave };
    } catch (error) {
      leaveHandle();
      throw error;
    }
  };

  return () => {
    let leave: (() => void) | undefined;
    let stopWatching: (() => void) | undefined;
    let isOver = false;
    let failure: { error: unknown } | undefined;
    const enterInside = createMutex();
    const enterSavepoint = async () => {
      ({ leave } = await enterTransaction());
      stopWatching = host.watch();
      try {
        await guarded(() => host.text("savepoint posthorn", timeoutMs));
      } catch (error) {
        stopWatching();
        leave();
        throw error;
      }
    };
    const release = () => guarded(() => host.text("release savepoint posthorn", timeoutMs));
    // What the host's library gives up waits behind a statement of ours, which the host would commit. A client of pg
    // itself is ended by then.
    const rollBack = async (): Promise<void> => {
      for (let isGivenUp = true; isGivenUp; )
        await guarded(() => host.text("rollback to savepoint posthorn", timeoutMs)).then(
          () => {
            isGivenUp = false;
          },
          (error: unknown) => {
            if (!isReadTimeout(error)) throw error;
          },
        );
      await release();
    };
    // After earlier statements: if the first of several concurrent ones failed, later writes would survive the
    // rollback.
    const end = async (run: () => Promise<unknown>) => {
      const leaveAfter = await enterInside();
      isOver = true;
      try {
        await run();
      } finally {
        leaveAfter();
        stopWatching?.();
        leave?.();
      }
    };
    return {
      async executeQuery<R>(query: CompiledQuery) {
        const outside = leave ? undefined : await enterTransaction();
        const leaveAfter = outside?.leave ?? (await enterInside());
        const stopHere = outside && host.watch();
        try {
          if (isOver) throw new Error("the call of this statement is over");
          if (outside?.isKnownInside === false) await guarded(() => host.assertInside());
          return await guarded(() => host.run<R>(query, timeoutMs));
        } catch (error) {
          // The first of several concurrent statements may have nobody who tells its failure, which says the cause.
          if (failure !== undefined && isAborted(error)) throw failure.error;
          if (leave) failure ??= { error };
          throw error;
        } finally {
          stopHere?.();
          leaveAfter();
        }
      },
      streamQuery: noStream,
      begin: enterSavepoint,
      commit: () => end(release),
      rollback: () => end(rollBack).catch(() => {}),
      release: () => {},
    };
  };
};
