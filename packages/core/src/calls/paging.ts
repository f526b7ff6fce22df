import { z } from "zod";
import type { Listing, Slice } from "../ports/storage.ts";

const size = z.int().min(1).max(100).default(20).describe("Items a page, 1 to 100. Default 20.");

/** `page` from 0, `size` 1 to 100, default 20 (decisions §1). */
export const pageFromZero = {
  page: z.int().min(0).default(0).describe("Which page, counted from 0. Default 0."),
  size,
};

/** `page` from 1, where 0 also answers the first (decisions §1: templates and stylesheets). */
export const pageFromOne = {
  page: z
    .int()
    .min(0)
    .default(1)
    .describe("Which page, counted from 1; 0 answers the first, too. Default 1."),
  size,
};

/** A page of a list, with the numbers that it was asked by. */
export interface Page<T> extends Listing<T> {
  page: number;
  size: number;
}

/** The stretch that a page from 0 names. */
export const sliceFromZero = ({ page, size }: { page: number; size: number }): Slice => ({
  offset: page * size,
  limit: size,
});

/** The stretch that a page from 1 names. */
export const sliceFromOne = ({ page, size }: { page: number; size: number }): Slice => ({
  offset: Math.max(0, page - 1) * size,
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
