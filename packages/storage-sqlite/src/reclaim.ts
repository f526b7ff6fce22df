import type { Storage } from "@posthorn/core/storage";
import type { SqliteFile } from "./sqlite-connections.ts";

/** Ms that a piece may take of the thread, and how many pages the first has. */
const mostMs = 10;
const firstPages = 64;
/** A free page in so many is kept: what is written next would only make the file grow again. */
const share = 20;

/**
 * Shortens the file by its free pages, a piece at a time in the line of writes (platform.md P12). Of what is free, a twentieth of the file
 * stays where not `all` is wanted. A file that was made without `auto_vacuum = INCREMENTAL` stays as it is.
 */
export const createReclaim =
  ({ writer: { database }, commits }: Pick<SqliteFile, "writer" | "commits">): Storage["reclaim"] =>
  async ({ all = false, stopped = () => false } = {}) => {
    const number = (name: string): number => Number(database.pragma(name, { simple: true }));
    const isIncremental = await commits.between(() => number("auto_vacuum") === 2);
    let freed = 0;
    for (let pages = firstPages; isIncremental && !stopped(); ) {
      const limit = pages;
      const piece = await commits.enqueue(() => {
        const spare = all ? 0 : Math.floor(number("page_count") / share);
        const count = Math.min(limit, number("freelist_count") - spare);
        if (count <= 0) return { count: 0, ms: 0 };
        const begun = performance.now();
        database.pragma(`incremental_vacuum(${count})`);
        return { count, ms: performance.now() - begun };
      });
      if (piece.count === 0) break;
      freed += piece.count;
      pages = piece.ms > mostMs ? Math.max(1, Math.ceil(pages / 2)) : pages * 2;
      await new Promise((resolve) => setImmediate(resolve));
    }
    // The file itself is written to when the log of writes goes into it. Where somebody reads just now, the next time will do.
    if (freed > 0 || all) await commits.between(() => void database.pragma("wal_checkpoint(TRUNCATE)"));
    return freed * (await commits.between(() => number("page_size")));
  };
