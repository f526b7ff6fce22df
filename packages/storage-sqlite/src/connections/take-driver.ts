import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { StorageUnsuited } from "@posthorn/core/storage";
import type BetterSqlite3 from "better-sqlite3";

type Database = BetterSqlite3.Database;
export type DatabaseConstructor = typeof BetterSqlite3;

/** A copy of better-sqlite3, and so of SQLite. */
export interface Driver {
  Sqlite: DatabaseConstructor;
  /** Whether it is the one that this package imports, which a thread can load by its name. */
  isOwnDriver: boolean;
}

/** The driver's own class: a host may extend it. */
const classOf = (database: Database): DatabaseConstructor => {
  let found: object = Object.getPrototypeOf(database);
  for (let next: object | null = found; next !== null; next = Object.getPrototypeOf(next))
    if (Object.hasOwn(next, "prepare")) found = next;
  return found.constructor as DatabaseConstructor;
};

/** The driver of a host's handle; without one, the driver that this package imports. */
export const driverOf = async (database?: Database): Promise<Driver> => {
  const { default: own } = await import("better-sqlite3");
  return database === undefined || database instanceof own
    ? { Sqlite: own, isOwnDriver: true }
    : { Sqlite: classOf(database), isOwnDriver: false };
};

/** The drivers by which this process has files open, and how many users each has. */
const inUse = new Map<string, { driver: Driver; users: number }>();

/** The path that all names of a file have in common; the file may be missing. */
export const realPath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
};

/**
 * Chooses the driver for a file, until `leave` is called: the host handle's, or the one by which the file is open
 * already. Two copies of SQLite in one process don't see each other's locks on a file (POSIX locks belong to the
 * process): each overwrites what the other commits, and if one closes the file, the other loses its locks.
 */
export const takeDriver = async (
  path: string,
  database?: Database,
): Promise<Driver & { leave: () => void }> => {
  const driver = await driverOf(database);
  const file = realPath(path);
  const use = inUse.get(file) ?? { driver, users: 0 };
  if (database !== undefined && driver.Sqlite !== use.driver.Sqlite)
    throw new StorageUnsuited(
      `${path} is open in this process by another copy of better-sqlite3, which does not see this one's locks on the file: use one copy for all`,
    );
  use.users += 1;
  inUse.set(file, use);
  return {
    ...use.driver,
    leave() {
      use.users -= 1;
      if (use.users === 0) inUse.delete(file);
    },
  };
};
