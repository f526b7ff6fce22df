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
      damage = new StorageUnavailable(reason, { cause: error });
      return damage;
    },
    /** Throws if damage was met, until a restart: no statement tells that nothing else is damaged. */
    assertUndamaged() {
      if (damage !== undefined) throw new StorageUnavailable(damage.message, { cause: damage.cause });
    },
    close() {
      isClosed = true;
    },
    assertUsable() {
      if (isClosed) throw new StorageUnavailable("the storage is closed", { isFinal: true });
      if (fatal !== undefined)
        throw new StorageUnavailable(fatal.reason, { cause: fatal.cause, isFinal: true });
    },
  };
};
