import { z } from "zod";
import { fieldError } from "../errors.ts";
import type { Listing, ListPlace, Slice } from "../ports/storage.ts";

const size = z.int().min(1).max(100).default(20).describe("Number of items per page, 1 to 100. Default 20.");

/** Which stretch of a list: `page` from 0, or what follows a former page; `size` 1 to 100, default 20 (decisions §1). */
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

/** What a list answers. One that is never long is one page, as large as it is. */
export interface Page<T> {
  /** In the order of the list, as a rule the newest first. */
  items: T[];
  /** How many there are, on all pages. Of a page asked for by `after`: how many there were when the walk began. */
  total: number;
  /** Which page it is, from 0; 0 where it was asked for by `after`. */
  page: number;
  /** How many items a page has at the most. */
  size: number;
  /** Asks for what follows, as `after` of the next call; `undefined` where nothing does. */
  after: string | undefined;
}

/** The numbers that a page is asked for by. */
interface Asked {
  page: number;
  size: number;
  after?: string | undefined;
}

/** The requested stretch. Throws `validation_failed` for an invalid cursor, and for one combined with a page number. */
export function sliceOf({ page, size, after }: Asked): Slice {
  if (after === undefined) return { offset: page * size, limit: size };
  if (page !== 0) throw fieldError("after", "can't be given together with page");
  return { offset: 0, limit: size, after: readPlace(after) };
}

/** A stretch as its page: what callers see of each item, the numbers, and what asks for the rest. */
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

/** All of a list that is never long, as its only page. */
export const onlyPage = <T>(items: T[]): Page<T> => ({
  items,
  total: items.length,
  page: 0,
  size: items.length,
  after: undefined,
});

/** Opaque to callers, so that its contents may change. */
const writePlace = ({ key, total }: ListPlace): string =>
  Buffer.from(`${key}.${total}`).toString("base64url");

function readPlace(after: string): ListPlace {
  const text = Buffer.from(after, "base64url").toString("latin1");
  const [, key, total] = /^(-?\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  if (key === undefined || total === undefined)
    throw fieldError("after", "must be the `after` of a page of this list");
  return { key: Number(key), total: Number(total) };
}
