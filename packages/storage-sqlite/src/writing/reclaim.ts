import { setTimeout as delay } from "node:timers/promises";
import type { Storage } from "@posthorn/core/storage";
import type { SqliteFile } from "../connections/sqlite-connections.ts";
import type { WriteBack } from "./write-back.ts";

/** Ms that one step may hold the thread, and the number of pages of the first step. */
const maxMs = 10;
const firstPages = 64;
/** Longest pause after a step, in ms. */
const maxPauseMs = 500;
/** One page in so many is kept free: the next writes would only make the file grow again. */
const pagesPerSpare = 20;

/**
 * Returns the file's free pages to the disk, step by step, queued with other writes (platform.md P12). Free pages up to
 * a twentieth of the file are kept unless `all` is set. A file that was created without `auto_vacuum = INCREMENTAL`
 * stays as it is.
 */
export const createReclaim =
  (
    {
      writer: { database },
      commits,
      writeBack,
    }: Pick<SqliteFile, "writer" | "commits"> & { writeBack: WriteBack | undefined },
    pause: (ms: number) => Promise<unknown> = delay,
  ): Storage["reclaim"] =>
  async ({ all = false, stopped = () => false } = {}) => {
    const number = (name: string): number => Number(database.pragma(name, { simple: true }));
    const isIncremental = await commits.between(() => number("auto_vacuum") === 2);
    let freed = 0;
    for (let pages = firstPages; isIncremental && !stopped(); ) {
      const limit = pages;
      const piece = await commits.enqueue(() => {
        const spare = all ? 0 : Math.floor(number("page_count") / pagesPerSpare);
        const count = Math.min(limit, number("freelist_count") - spare);
        if (count <= 0) return { count: 0, ms: 0 };
        const begun = performance.now();
        database.pragma(`incremental_vacuum(${count})`);
        return { count, ms: performance.now() - begun };
      });
      if (piece.count === 0) break;
      freed += piece.count;
      pages = piece.ms > maxMs ? Math.max(1, Math.ceil(pages / 2)) : pages * 2;
      // Other writes wait for each step.
      await pause(Math.min(2 * piece.ms, maxPauseMs));
    }
    // The file itself shrinks only at a checkpoint of the WAL. If a reader prevents that now, the next one will do.
    if ((freed > 0 || all) && writeBack?.isLong() !== true)
      await commits.between(() => void database.pragma("wal_checkpoint(TRUNCATE)"));
    return freed * (await commits.between(() => number("page_size")));
  };
