import { fieldError } from "../errors.ts";

/** Formats of a list file. */
export type ListFormat = "csv" | "ndjson";

/** Describes how the lines of a file are parsed. */
export interface LineForm<T> {
  /** Maximum bytes of a line. */
  maxLineBytes: number;
  /** Whether a line that is not UTF-8 ends the reading; else its faulty bytes become U+FFFD. */
  mustBeUtf8: boolean;
  /**
   * Returns the names of the columns for the first line of CSV, and whether that line is a header or already a row.
   * `undefined` if it is neither; the error then contains `wanted`.
   */
  columns(first: readonly string[]): { names: readonly string[]; isHeader: boolean } | undefined;
  wanted: string;
  /** Parses the cells of a CSV row, by column. If two columns have the same name, the first counts. */
  row(cells: ReadonlyMap<string, string>): T;
  /** Parses a JSON object of NDJSON. */
  object(value: Record<string, unknown>): T;
}

/** A parsed line of a file; or one that can't be used, with the beginning of its text and what is wrong with it. */
export type ReadLine<T> = {
  /** Number of the line that it begins on, from 1. */
  line: number;
} & ({ fields: T; value: ""; fault?: never } | { fields: undefined; value: string; fault: string });

/** Returns the error for a file that can't be read beyond a line. */
export const unreadable = (line: number, why: string): Error =>
  fieldError("content", `can't be read from line ${line} on: ${why}`);
