import type { z } from "zod";
import { parseInput } from "../src/calls/input/parse-input.ts";
import { ServiceError } from "../src/errors.ts";

/** Returns the error with which a schema refuses an input. */
export function refusalOf(schema: z.ZodType, input: unknown): ServiceError {
  try {
    parseInput(schema, input);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("the input was taken");
}
