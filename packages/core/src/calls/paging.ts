import { z } from "zod";
import { fieldError } from "../errors.ts";
import type { Listing, ListPlace, Slice } from "../ports/storage.ts";

const size = z.int().min(1).max(100).default(20).describe("Number of items per page, 1 to 100. Default 20.");

/**
 * Input fields of a paged list: `page` from 0, or the cursor `after` of a former page; `size` 1 to 100, default 20
 * (decisions §1).
 */
export const paging = {
  page: z.int().min(0).default(0).describe("Number of the page, counted from 0. Default 0."),
  size,
  after: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe(
      "Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page costs the same, however deep it is.",
    ),
};

/** A page of a list. Lists that are always short come as a single page. */
export interface Page<T> {
  /** Items in the order of the list, usually newest first. */
  items: T[];
  /** Number of items on all pages. For a page requested by `after`: the number when the first page was read. */
  total: number;
  /** Number of the page, from 0; 0 if it was requested by `after`. */
  page: number;
  /** Maximum number of items per page. */
  size: number;
  /** Cursor for `after` of the next call; `undefined` on the last page. */
  after: string | undefined;
}

/** The requested page. */
interface Asked {
  page: number;
  size: number;
  after?: string | undefined;
}

/**
 * Returns the requested part of a list. Throws `validation_failed` for an invalid cursor, and for one combined with a
 * page number.
 */
export function sliceOf({ page, size, after }: Asked): Slice {
  if (after === undefined) return { offset: page * size, limit: size };
  if (page !== 0) throw fieldError("after", "can't be given together with page");
  return { offset: 0, limit: size, after: readPlace(after) };
}

/** Returns a page from a part of a list: the views of its items, its numbers, and the cursor of the next page. */
export const pageOf = <S, T>(
  { items, total, after }: Listing<S>,
  { page, size }: Asked,
  view: (item: S) => T,
): Page<T> => ({
  items: items.map(view),
  total,
  page,
  size,
  after: after && writePlace(after),
});

/**
 * Returns the requested page of a list that is short enough to be read whole. Its cursors count entries, as each order
 * has an end that is near.
 */
export function pageOfAll<T>(all: readonly T[], asked: Asked): Page<T> {
  const { offset, limit, after } = sliceOf(asked);
  const start = Math.max(after?.key ?? offset, 0);
  const items = all.slice(start, start + limit);
  const end = start + items.length;
  const place = end < all.length ? { key: end, total: all.length } : undefined;
  return pageOf({ items, total: after?.total ?? all.length, after: place }, asked, (item) => item);
}

/** Returns a short list as its only page. */
export const onlyPage = <T>(items: T[]): Page<T> => ({
  items,
  total: items.length,
  page: 0,
  size: items.length,
  after: undefined,
});

/** Encodes a cursor. It is opaque to callers, so that its contents may change. */
const writePlace = ({ key, time, total }: ListPlace): string =>
  Buffer.from(time === undefined ? `${key}.${total}` : `${key}.${total}.${time}`).toString("base64url");

function readPlace(after: string): ListPlace {
  const text = Buffer.from(after, "base64url").toString("latin1");
  const [, key, total, time] = /^(-?\d{1,15})\.(\d{1,15})(?:\.(\d{1,15}))?$/.exec(text) ?? [];
  if (key === undefined || total === undefined)
    throw fieldError("after", "must be the `after` of a page of this list");
  return { key: Number(key), total: Number(total), time: time === undefined ? undefined : Number(time) };
}
