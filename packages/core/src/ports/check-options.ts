import { maxTimerMs } from "./clock.ts";
import { type OptionNames, refuseUnknownOptions } from "./refuse-unknown-options.ts";

/** What an option must be, in words that follow "must be", and whether a value is that. */
export type OptionCheck = readonly [words: string, holds: (value: unknown) => boolean];

/** A check of each option; `true` for one that is checked elsewhere. */
export type OptionChecks<T> = Record<keyof T, OptionCheck | true>;

/** A check of an object that must have methods; `words` says which object. */
export const hasMethods = (words: string, ...methods: string[]): OptionCheck => [
  words,
  (value) => methods.every((method) => typeof Object(value)[method] === "function"),
];

/** A text that is not empty: an environment variable that is not set is often passed on as an empty text. */
export const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

/** A check of a text whose content is checked elsewhere. */
export const textCheck: OptionCheck = ["a text", (value) => typeof value === "string"];
/** A check of a boolean. */
export const flagCheck: OptionCheck = ["true or false", (value) => typeof value === "boolean"];
/** A check of a time in ms for a timer: of any other, Node makes 1 ms. */
export const msCheck: OptionCheck = [
  `a number of milliseconds from 1 to ${maxTimerMs}`,
  (value) => typeof value === "number" && value >= 1 && value <= maxTimerMs,
];
/** A check of a function. */
export const functionCheck: OptionCheck = ["a function", (value) => typeof value === "function"];
/** A check of a clock. */
export const clockCheck: OptionCheck = hasMethods("an object with the method now", "now");
/** A check of a logger. */
export const loggerCheck: OptionCheck = hasMethods(
  "an object with the methods debug, info, warn and error",
  "debug",
  "info",
  "warn",
  "error",
);

/**
 * Checks a function's options for hosts without types: that they are an object, that each is known, and what each must
 * be. Throws a `TypeError` that names the option and the fault. `prefix` is that of the names in messages, such as
 * `timeouts.`; `owner` is the function, or the option with its own options.
 */
export function checkOptions<T extends object>(
  owner: string,
  given: T,
  checks: OptionChecks<T>,
  prefix = "",
): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new TypeError(
      `${owner} takes an object with the options ${Object.keys(checks).join(", ")}, not ${describe(given)}`,
    );
  refuseUnknownOptions(given, checks as OptionNames<T>, prefix);
  for (const name in checks) {
    const check = checks[name];
    const value = given[name];
    if (check === true || value === undefined) continue;
    const [words, holds] = check;
    if (!holds(value)) throw new TypeError(`${prefix}${name} must be ${words}, not ${describe(value)}`);
  }
}

/** Texts are not repeated: they may contain a password. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return value === "" ? "an empty text" : "such a text";
  if (value instanceof Promise) return "a promise: await it first";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "such an object" : `a ${typeof value}`;
}
