import { BroadcastChannel } from "node:worker_threads";
import { StorageUnavailable } from "@posthorn/core/storage";

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code);

/**
 * Remembers a fault of a database's file, whose name is empty in memory: one after which nothing can be guaranteed, and
 * damage, beside which what is whole can still be read.
 */
export const createGuard = (file: string, onFatal: ((error: unknown) => void) | undefined) => {
  let fatal: { reason: string; cause: unknown } | undefined;
  let damage: StorageUnavailable | undefined;
  let isClosed = false;
  // The thread that delivers may be the only one that meets it, and another asks whether the service is ready.
  const threads = file === "" ? undefined : new BroadcastChannel(`posthorn damage ${file}`);
  if (threads !== undefined) {
    threads.onmessage = ({ data }: { data: string }) => {
      damage = new StorageUnavailable(data);
    };
    threads.unref();
  }
  const fail = (reason: string, cause: unknown) => {
    if (fatal !== undefined) return;
    fatal = { reason, cause };
    onFatal?.(new StorageUnavailable(reason, { cause, isFinal: true }));
  };
  return {
    fail,
    onError(error: unknown) {
      if (/^SQLITE_IOERR_(DIR_)?FSYNC/.test(codeOf(error))) fail("the disk failed to keep a commit", error);
    },
    /** The port's error for one that tells of damage, which it remembers; `undefined` for any other. */
    damageOf(error: unknown): StorageUnavailable | undefined {
      if (!/^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error))) return undefined;
      const name = file === "" ? "database in memory" : `file ${file}`;
      const reason = `the SQLite ${name} is damaged: ${(error as Error).message}; stop, and restore a backup`;
      if (damage === undefined && !isClosed) threads?.postMessage(reason);
      damage = new StorageUnavailable(reason, { cause: error });
      return damage;
    },
    /** Throws if damage was met, in any thread, until a restart: no statement tells that nothing else is damaged. */
    assertUndamaged() {
      if (damage !== undefined) throw new StorageUnavailable(damage.message, { cause: damage.cause });
    },
    close() {
      isClosed = true;
      threads?.close();
    },
    assertUsable() {
      if (isClosed) throw new StorageUnavailable("the storage is closed", { isFinal: true });
      if (fatal !== undefined)
        throw new StorageUnavailable(fatal.reason, { cause: fatal.cause, isFinal: true });
    },
  };
};
