import { shown } from "./shown.ts";

/** Returns an option that is a number within bounds. Throws a `TypeError` that names it. */
export function readNumber(name: string, value: number, least: number, most: number): number {
  if (typeof value !== "number" || !(value >= least && value <= most))
    throw new TypeError(`${name} must be a number from ${least} to ${most}; it is ${shown(value)}`);
  return value;
}

/** Returns an option that is a whole number within bounds. Throws a `TypeError` that names it. */
export function readCount(name: string, value: number, least: number, most: number): number {
  if (!Number.isInteger(readNumber(name, value, least, most)))
    throw new TypeError(`${name} must be a whole number from ${least} to ${most}; it is ${value}`);
  return value;
}
