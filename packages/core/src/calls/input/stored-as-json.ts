import { z } from "zod";
import { maxJsonDepth } from "../../rules/json.ts";
import { findUnstorable, mayBeUnstorable } from "../../rules/unstorable-strings.ts";
import { findUnwritable, type Unwritable } from "./find-unwritable.ts";

/** What an object or a list holds. Both walks below are part of each send of a host's: a list is not copied for them. */
const itemsOf = (value: object): readonly unknown[] => (Array.isArray(value) ? value : Object.values(value));

/** Whether a value is another one after it was stored: of a date, a text is left, and of `Infinity`, null. */
function changesInJson(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return true;
  for (const item of itemsOf(value)) if (changesInJson(item)) return true;
  return false;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const item of itemsOf(value)) if (isDeeperThan(levels - 1, item)) return true;
  return false;
}

/** Why a value could not be written. Reading it again may throw again. */
function reasonFor(value: unknown): Unwritable {
  const unknown = { path: [], words: "can't be written as JSON" };
  try {
    return findUnwritable(value) ?? unknown;
  } catch {
    return unknown;
  }
}

/**
 * Checks an object that is stored as JSON of limited size; `bound` is the limit as text for the message. Hosts may pass
 * values that no request can contain. Those that JSON writes as others, such as dates, become what is stored, so that
 * every later step sees the same; cycles, big integers, values nested as deeply as no request's, and texts and keys
 * that none has, are refused. Values that were JSON are only measured.
 */
export const storedAsJson = (
  maxBytes: number,
  bound: string,
  { wasJson = false }: { wasJson?: boolean } = {},
): z.core.$ZodCheck<Record<string, unknown>> => {
  const check = z.check<Record<string, unknown>>((payload) => {
    const { value, issues } = payload;
    const refuse = (message: string, path: string[] = []): void =>
      void issues.push({ code: "custom", message, path, input: value, inst: check, continue: true });
    try {
      const text = JSON.stringify(value);
      if (Buffer.byteLength(text) > maxBytes) refuse(`is larger than ${bound}`);
      if (wasJson || issues.length > 0) return;
      const fault = mayBeUnstorable.test(text) ? findUnstorable(Buffer.from(text)) : undefined;
      const stored = changesInJson(value) ? JSON.parse(text) : value;
      if (fault !== undefined) refuse(fault.words, fault.path === "" ? [] : fault.path.split("."));
      else if (isDeeperThan(maxJsonDepth, stored)) refuse(`is nested more than ${maxJsonDepth} levels deep`);
      else payload.value = stored;
    } catch {
      const { words, path } = reasonFor(value);
      refuse(words, path);
    }
  });
  return check;
};
