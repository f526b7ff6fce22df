import type { Caller } from "./caller.ts";

/** Maximum characters of the text: longer inputs are not compared. */
const maxLength = 2_000;

/** Types of values that JSON has not. */
const unwritten = new Set(["bigint", "function", "symbol"]);

/**
 * Returns a text that only calls of one caller with the same input have; `undefined` for an input that is long, or
 * other than plain JSON.
 */
export function equalCallKey(
  { caller, workspaceId }: { caller: Caller; workspaceId: unknown },
  input: unknown,
): string | undefined {
  let left = maxLength;
  const isPlain = (value: unknown): boolean => {
    left -= typeof value === "string" ? value.length : 1;
    if (left < 0) return false;
    if (typeof value !== "object" || value === null) return !unwritten.has(typeof value);
    const prototype = Object.getPrototypeOf(value);
    // Such as that of an iterable.
    if (Object.getOwnPropertySymbols(value).length > 0) return false;
    if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
    return Object.values(value).every(isPlain);
  };
  return isPlain(input) ? JSON.stringify([caller, workspaceId, input]) : undefined;
}
