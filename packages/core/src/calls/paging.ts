import { createHash } from "node:crypto";
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

/** The pages of one list. */
interface Pages {
  /**
   * Returns the requested part of the list. Throws `validation_failed` for an invalid cursor, also one of another list,
   * and for one combined with a page number.
   */
  sliceOf(asked: Asked): Slice;
  /** Returns a page from a part of the list: the views of its items, its numbers, and the cursor of the next page. */
  pageOf<S, T>(found: Listing<S>, asked: Asked, view: (item: S) => T): Page<T>;
  /**
   * Returns the requested page of a list that is short enough to be read whole. `placeOf` tells where an item stands in
   * the list's order: by `time`, if it has one, and then by `key`, both ascending.
   */
  pageOfAll<T>(all: readonly T[], asked: Asked, placeOf: (item: T) => Place): Page<T>;
}

/** Returns the pages of the list of this name, which no other has: their cursors begin with a mark of it and of their text. */
export function pagesOf(name: string): Pages {
  const pages: Pages = {
    sliceOf({ page, size, after }) {
      if (after === undefined) return { offset: page * size, limit: size };
      if (page !== 0) throw fieldError("after", "can't be given together with page");
      return { offset: 0, limit: size, after: readPlace(after, name) };
    },
    pageOf: ({ items, total, after }, { page, size }, view) => ({
      items: items.map(view),
      total,
      page,
      size,
      after: after && writePlace(after, name),
    }),
    pageOfAll(all, asked, placeOf) {
      const { offset, limit, after } = pages.sliceOf(asked);
      const rest =
        after === undefined ? all.slice(offset) : all.filter((item) => follows(placeOf(item), after));
      const items = rest.slice(0, limit);
      const last = items.at(-1);
      const total = after?.total ?? all.length;
      const place = last !== undefined && rest.length > limit ? { ...placeOf(last), total } : undefined;
      return pages.pageOf({ items, total, after: place }, asked, (item) => item);
    },
  };
  return pages;
}

type Place = Omit<ListPlace, "total">;

/** Whether one place is behind the other, in the order of times and then of keys. */
function follows(one: Place, other: Place): boolean {
  const [time, otherTime] = [one.time ?? 0, other.time ?? 0];
  return time === otherTime ? one.key > other.key : time > otherTime;
}

/** Returns a short list as its only page. */
export const onlyPage = <T>(items: T[]): Page<T> => ({
  items,
  total: items.length,
  page: 0,
  size: items.length,
  after: undefined,
});

/** Shows that a place was given for a list. No secret: whoever makes one sees no more than the list's other pages. */
const markOf = (place: string, name: string): string =>
  createHash("sha256").update(`${name} ${place}`).digest("base64url").slice(0, markLength);

const markLength = 4;

/** Encodes a cursor. It is opaque to callers, so that its contents may change. */
function writePlace({ key, time, total }: ListPlace, name: string): string {
  const place = `${key}.${total}${time === undefined ? "" : `.${time}`}`;
  return Buffer.from(`${markOf(place, name)}${place}`).toString("base64url");
}

function readPlace(after: string, name: string): ListPlace {
  const bytes = Buffer.from(after, "base64url");
  const text = bytes.toString("latin1");
  const place = text.slice(markLength);
  // Node skips what is not base64, so that one that was lengthened would still be read.
  const isOwn = text.startsWith(markOf(place, name)) && bytes.toString("base64url") === after;
  const [, key, total, time] = (isOwn && /^(-?\d{1,15})\.(\d{1,15})(?:\.(\d{1,15}))?$/.exec(place)) || [];
  if (key === undefined || total === undefined)
    throw fieldError("after", "must be the `after` of a page of this list");
  return { key: Number(key), total: Number(total), time: time === undefined ? undefined : Number(time) };
}
