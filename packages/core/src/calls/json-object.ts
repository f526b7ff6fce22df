import { z } from "zod";
import { storedAsJson } from "./stored-as-json.ts";

/** What a schema is told about the input, besides zod's own options. */
export interface InputContext {
  /**
   * Size in bytes of the JSON that the input was parsed from, without numbers that a double can't hold; `undefined` for
   * the values of a host.
   */
  jsonBytes?: number | undefined;
}

/**
 * How many times as long JSON can become by parsing and writing it: a number as short as `9e15` is written with all its
 * digits, and nothing else grows.
 */
const growth = 4;

/**
 * An object with any fields that is stored as JSON of limited size; `bound` is the limit as text for the message. One
 * that a request's JSON contained is what it will be once it is stored, and fits if that JSON was short. So it needs no
 * copy, no second walk and no text of its own, which took a tenth of the CPU of an acceptance.
 */
export function jsonObject(
  maxBytes: number,
  bound: string,
  message?: string,
): z.ZodRecord<z.ZodString, z.ZodUnknown> {
  const schema = z.record(z.string(), z.unknown(), message).check(storedAsJson(maxBytes, bound));
  const { run } = schema._zod;
  schema._zod.run = (payload, context) => {
    const { jsonBytes = Number.POSITIVE_INFINITY } = context as InputContext;
    return jsonBytes * growth <= maxBytes && isJsonObject(payload.value) ? payload : run(payload, context);
  };
  return schema;
}

const isJsonObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);
