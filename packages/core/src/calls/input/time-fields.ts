import { iso, z } from "zod";
import { isJsonObject } from "../../rules/is-json-object.ts";
import { isNamedTime } from "../../rules/named-times.ts";
import { nativeTypes } from "./native-types.ts";

const fault = "must be an ISO 8601 time such as 2030-01-31T08:00:00Z";

/**
 * Whether a number is a time in seconds, of the years 2001 to 2286. Taken for ms it would be one of early 1970: what is
 * scheduled would begin at once, and a list would have all that it was to leave out.
 */
const isInSeconds = (value: unknown): boolean => typeof value === "number" && value >= 1e9 && value < 1e10;

/** Returns the fault of what is no time. Of a value that JSON can't hold it is told what else a host may give. */
function faultOf(value: unknown): string {
  if (isInSeconds(value)) return "is a time in seconds: give milliseconds, a Date or ISO 8601";
  if (value instanceof Date && Number.isNaN(value.getTime())) return "is an invalid Date";
  const isOfHost =
    typeof value === "number" || (isJsonObject(value) && Object.getPrototypeOf(value) !== Object.prototype);
  return isOfHost ? `${fault}, a Date, or whole milliseconds since the epoch` : fault;
}

const faultHere = { error: ({ input }: { input?: unknown }) => faultOf(input) };

/** A time from a host: a `Date`, or ms since the epoch. In JSON, a time is a text. */
const momentField = z.custom<Date | number>((value) => {
  const ms = value instanceof Date ? value.getTime() : value;
  return Number.isInteger(ms) && isNamedTime(Number(ms)) && !isInSeconds(value);
}, faultHere);
nativeTypes.add(momentField, { type: "Date | number" });

const toMs = (given: string | Date | number): number =>
  typeof given === "string" ? Date.parse(given) : Number(given);

const isoField = iso
  .datetime({ offset: true, error: fault, abort: true })
  .refine((text) => isNamedTime(Date.parse(text)), fault);

/** A time as ms since the epoch, from a `Date`, ms since the epoch, or ISO 8601 with an offset. */
export const timeField = z.union([isoField, momentField], faultHere).transform(toMs);

/** A time like `timeField`, or a date, which means its beginning in UTC. */
export const timeOrDayField = z.union([isoField, iso.date(fault), momentField], faultHere).transform(toMs);

/** Whether a schema accepts a time. */
export const takesTime = (schema: z.ZodType): boolean => schema === momentField;
