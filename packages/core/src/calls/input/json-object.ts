import { z } from "zod";
import { isJsonObject } from "../../rules/is-json-object.ts";
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
 * copy, no second walk and no text of its own, which took a tenth of the CPU of an acceptance. If that JSON was long, it
 * is only measured: zod's check of each of its fields takes several times as long.
 */
export function jsonObject(
  maxBytes: number,
  bound: string,
  message?: string,
): z.ZodRecord<z.ZodString, z.ZodUnknown> {
  const stored = storedAsJson(maxBytes, bound);
  const measured = storedAsJson(maxBytes, bound, { wasJson: true });
  const schema = z.record(z.string(), z.unknown(), message).check(stored);
  const { run } = schema._zod;
  schema._zod.run = (payload, context) => {
    const { jsonBytes } = context as InputContext;
    if (jsonBytes === undefined || !isJsonObject(payload.value)) return run(payload, context);
    if (jsonBytes * growth > maxBytes)
      measured._zod.check(payload as z.core.ParsePayload<Record<string, unknown>>);
    return payload;
  };
  return schema;
}
