import type { z } from "zod";
import { fieldError } from "../../errors.ts";
import { fieldPath } from "../../rules/field-path.ts";
import { isJsonObject } from "../../rules/is-json-object.ts";
import { unstorableText } from "../../rules/unstorable-text.ts";
import { takesAnyText } from "./any-text.ts";
import { isUnread } from "./unread.ts";

/** What is wrong with a value, as words that follow the path of the field, and that path. */
interface Fault {
  path: string[];
  words: string;
}

/** Returns what makes a value unfit to be validated, or to be stored. */
type Bound = (value: unknown) => Fault | undefined;

interface Check {
  _zod: { def: { check: string; maximum?: number; error?: (issue: object) => unknown } };
}

interface Def {
  type: string;
  checks?: Check[];
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  valueType?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  options?: readonly z.ZodType[];
  catchall?: z.ZodType;
}

const defOf = (schema: z.ZodType): Def => schema._zod.def as unknown as Def;
const bounds = new WeakMap<z.ZodType, Bound | undefined>();

/** Maximum number of unknown fields of an object that are examined; nobody mistypes more. */
export const maxUnknownFields = 1_000;

/** Maximum number of fields of an object with any: no object that is accepted has room for more, see `jsonObject`. */
const maxRecordFields = 60_000;

/** Of an object whose values are checked one by one, such as header fields, of which a send takes 50. */
const maxCheckedFields = 1_000;

/**
 * Refuses values before zod would validate them item by item only to find them too large: a list beyond its maximum
 * length, or thousands of unknown fields. Also refuses a key `__proto__`, which zod silently drops, and texts that no
 * storage holds as they are: over HTTP all of these are refused as JSON, and a host's call must not keep them either.
 * Throws `validation_failed` naming the field.
 */
export function refuseUnfit(schema: z.ZodType, input: unknown): void {
  const fault = boundOf(schema)?.(input);
  if (fault !== undefined) throw fieldError(fieldPath(fault.path), fault.words);
}

const faultHere = (words: string): Fault => ({ path: [], words });

const faultIn = (name: string, fault: Fault | undefined): Fault | undefined => {
  fault?.path.unshift(name);
  return fault;
};

function boundOf(schema: z.ZodType): Bound | undefined {
  if (!bounds.has(schema)) bounds.set(schema, takesAnyText(schema) ? undefined : makeBound(defOf(schema)));
  return bounds.get(schema);
}

function makeBound(def: Def): Bound | undefined {
  if (def.type === "string") return boundOfText;
  if (def.type === "object") return boundOfObject(def);
  if (def.type === "array") return boundOfList(def);
  if (def.type === "record") return boundOfRecord(def);
  if (def.type === "union") return boundOfUnion(def.options ?? []);
  const inner = def.innerType ?? def.in;
  return inner && boundOf(inner);
}

function boundOfText(value: unknown): Fault | undefined {
  const words = typeof value === "string" ? unstorableText(value) : undefined;
  return words === undefined ? undefined : faultHere(words);
}

function boundOfObject({ shape = {}, catchall }: Def): Bound {
  const fields = Object.entries(shape).flatMap(([name, field]): [string, Bound][] => {
    const bound = boundOf(field);
    return bound === undefined ? [] : [[name, bound]];
  });
  const isStrict = catchall !== undefined && defOf(catchall).type === "never";
  const most = isStrict ? Object.keys(shape).length + maxUnknownFields : Number.POSITIVE_INFINITY;
  return (value) => {
    if (!isJsonObject(value)) return undefined;
    if (Object.keys(value).length > most) return faultHere("has too many unknown fields");
    for (const [name, bound] of fields) {
      const given = value[name];
      const fault = given === undefined ? undefined : bound(given);
      if (fault !== undefined) return faultIn(name, fault);
    }
    return undefined;
  };
}

function boundOfList({ element, checks = [] }: Def): Bound | undefined {
  const longest = checks.find(({ _zod }) => _zod.def.check === "max_length")?._zod.def;
  const inner = element && !isUnread(element) ? boundOf(element) : undefined;
  if (longest === undefined && inner === undefined) return undefined;
  const { maximum = Number.POSITIVE_INFINITY, error } = longest ?? {};
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    if (value.length > maximum) {
      const words = error?.({ code: "too_big", origin: "array", maximum, inclusive: true, input: value });
      const usual = `must have at most ${maximum} ${maximum === 1 ? "item" : "items"}`;
      return faultHere(typeof words === "string" ? words : usual);
    }
    if (inner === undefined) return undefined;
    for (const [index, entry] of value.entries()) {
      const fault = inner(entry);
      if (fault !== undefined) return faultIn(String(index), fault);
    }
    return undefined;
  };
}

/**
 * Bounds a union only if one of its alternatives is a list, of several it would be unclear which one is meant, and if
 * one is a text.
 */
function boundOfUnion(options: readonly z.ZodType[]): Bound | undefined {
  const lists = options.filter((option) => defOf(option).type === "array");
  const [only] = lists;
  const ofList = lists.length === 1 && only !== undefined ? boundOf(only) : undefined;
  const ofText = options.map(boundOf).find((bound) => bound === boundOfText);
  if (ofList === undefined || ofText === undefined) return ofList ?? ofText;
  return (value) => ofList(value) ?? ofText(value);
}

function boundOfRecord({ valueType }: Def): Bound {
  const isFree = valueType !== undefined && defOf(valueType).type === "unknown";
  const most = isFree ? maxRecordFields : maxCheckedFields;
  const inner = valueType && boundOf(valueType);
  return (value) => {
    if (!isJsonObject(value)) return undefined;
    if (Object.hasOwn(value, "__proto__"))
      return faultIn("__proto__", faultHere("is a name that can't be used"));
    const names = Object.keys(value);
    if (names.length > most) return faultHere("has too many fields");
    if (inner === undefined) return undefined;
    for (const name of names) {
      const words = unstorableText(name);
      if (words !== undefined) return faultHere(`has a key that ${words}`);
      const fault = inner(value[name]);
      if (fault !== undefined) return faultIn(name, fault);
    }
    return undefined;
  };
}
