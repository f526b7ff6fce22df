import { inspect } from "node:util";

/** Returns an option's value for a message. JSON refuses big integers and cycles, which would hide the option's name. */
export const shown = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value) : inspect(value, { depth: 0 });
