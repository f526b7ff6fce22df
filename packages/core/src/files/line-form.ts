import { fieldError } from "../errors.ts";

/** The forms in which a list is written. */
export type ListFormat = "csv" | "ndjson";

/** What the lines of a file are. */
export interface LineForm<T> {
  /** Bytes that a line may hold. */
  maxLineBytes: number;
  /**
   * The names of the columns by the first line of CSV, and whether that line is a header or a row already. `undefined` where it can be
   * neither; the refusal says `wanted` then.
   */
  columns(first: readonly string[]): { names: readonly string[]; isHeader: boolean } | undefined;
  wanted: string;
  /** What the cells of a row say, by column; of two columns of one name the first counts. */
  row(cells: ReadonlyMap<string, string>): T;
  /** What an object of NDJSON says. */
  object(value: Record<string, unknown>): T;
}

/** A line of a file. */
export interface ReadLine<T> {
  /** Where it begins, from 1. */
  line: number;
  /** What the line says; `undefined` where it is no object of JSON, whose text is in `value` then. */
  fields: T | undefined;
  value: string;
}

/** The refusal of a file that can't be read any further. */
export const unreadable = (line: number, why: string): Error =>
  fieldError("content", `can't be read from line ${line} on: ${why}`);
