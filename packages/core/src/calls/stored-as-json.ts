import { z } from "zod";
import { findUnstorable, mayBeUnstorable } from "../rules/unstorable-strings.ts";

/** Whether a value is another one after it was stored: of a date, a text is left, and of `Infinity`, null. */
function changesInJson(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return true;
  return Object.values(value).some(changesInJson);
}

/**
 * Checks an object that is stored as JSON of limited size; `bound` is the limit as text for the message. Hosts may pass
 * values that no request can contain. Those that JSON writes as others, such as dates, become what is stored, so that
 * every later step sees the same; cycles, big integers, values nested too deeply, and texts and keys that a request
 * could not have, are refused. Values that were JSON are only measured.
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
      else if (!wasJson) {
        const fault = mayBeUnstorable.test(text) ? findUnstorable(Buffer.from(text)) : undefined;
        if (fault !== undefined) refuse(fault.words, fault.path === "" ? [] : fault.path.split("."));
        else if (changesInJson(value)) payload.value = JSON.parse(text);
      }
    } catch {
      refuse("can't be written as JSON");
    }
  });
  return check;
};
