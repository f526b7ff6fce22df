import type { CustomTypesConfig } from "pg";

/** Parsers by the oids of pg_type.dat; anything else stays text. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === "t",
  20: Number,
  21: Number,
  23: Number,
  // The sum of bigints.
  1700: Number,
};

const asText = (text: string): string => text;

/** Returns the parser for values of the type. */
export const parserOf = (oid: number): ((text: string) => unknown) => parsers[oid] ?? asText;

/**
 * Parsers for values. They are passed with each of our queries, so that a host's parsers are neither changed nor used.
 * Integers are exact up to 2^53.
 */
export const postgresTypes: CustomTypesConfig = {
  getTypeParser: parserOf as unknown as CustomTypesConfig["getTypeParser"],
};
