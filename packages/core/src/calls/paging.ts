import { z } from "zod";
import type { Listing, Slice } from "../ports/storage.ts";

const size = z.int().min(1).max(100).default(20).describe("Items a page, 1 to 100. Default 20.");

/** Which stretch of a list: `page` from 0, `size` 1 to 100, default 20 (decisions §1). */
export const paging = {
  page: z.int().min(0).default(0).describe("Which page, counted from 0. Default 0."),
  size,
};

/** What a list answers, with the numbers that it was asked by. A list that is never long is one page, as large as it is. */
export interface Page<T> extends Listing<T> {
  /** Which page it is, from 0. */
  page: number;
  /** How many items a page has at the most. */
  size: number;
}

/** The stretch that a page names. */
export const sliceOf = ({ page, size }: { page: number; size: number }): Slice => ({
  offset: page * size,
  limit: size,
});

/** Adds the numbers to the list. */
export const pageOf = <T>(
  { items, total }: Listing<T>,
  { page, size }: { page: number; size: number },
): Page<T> => ({
  items,
  total,
  page,
  size,
});

/** All of a list that is never long, as its only page. */
export const onlyPage = <T>(items: T[]): Page<T> => ({
  items,
  total: items.length,
  page: 0,
  size: items.length,
});
