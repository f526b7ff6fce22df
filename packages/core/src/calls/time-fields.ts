import { iso, z } from "zod";
import { isNamedTime } from "../rules/named-times.ts";
import { nativeTypes } from "./native-types.ts";

const fault = "must be an ISO 8601 time such as 2030-01-31T08:00:00Z";

/** A time from a host: a `Date`, or ms since the epoch. In JSON, a time is a text. */
const momentField = z.custom<Date | number>((value) => {
  const ms = value instanceof Date ? value.getTime() : value;
  return Number.isInteger(ms) && isNamedTime(Number(ms));
}, fault);
nativeTypes.add(momentField, { type: "Date | number" });

const toMs = (given: string | Date | number): number =>
  typeof given === "string" ? Date.parse(given) : Number(given);

const isoField = iso
  .datetime({ offset: true, error: fault, abort: true })
  .refine((text) => isNamedTime(Date.parse(text)), fault);

/** A time as ms since the epoch, from a `Date`, ms since the epoch, or ISO 8601 with an offset. */
export const timeField = z.union([isoField, momentField], fault).transform(toMs);

/** A time like `timeField`, or a date, which means its beginning in UTC. */
export const timeOrDayField = z.union([isoField, iso.date(fault), momentField], fault).transform(toMs);

/** Whether a schema accepts a time. */
export const takesTime = (schema: z.ZodType): boolean => schema === momentField;
