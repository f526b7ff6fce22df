import type { z } from "zod";
import { fieldError } from "../errors.ts";
import { isUnread } from "./unread.ts";

/** Throws `validation_failed` for a value that is too large to be validated item by item. */
type Bound = (value: unknown, path: readonly string[]) => void;

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
 * length, or thousands of unknown fields. Also refuses a key `__proto__`, which zod silently drops. Throws
 * `validation_failed` naming the field.
 */
export function refuseOversized(schema: z.ZodType, input: unknown): void {
  boundOf(schema)?.(input, []);
}

function boundOf(schema: z.ZodType): Bound | undefined {
  if (!bounds.has(schema)) bounds.set(schema, makeBound(defOf(schema)));
  return bounds.get(schema);
}

function makeBound(def: Def): Bound | undefined {
  if (def.type === "object") return boundOfObject(def);
  if (def.type === "array") return boundOfList(def);
  if (def.type === "record") return boundOfRecord(def);
  if (def.type === "union") return boundOfUnion(def.options ?? []);
  const inner = def.innerType ?? def.in;
  return inner && boundOf(inner);
}

function boundOfObject({ shape = {}, catchall }: Def): Bound {
  const fields = Object.entries(shape).flatMap(([name, field]): [string, Bound][] => {
    const bound = boundOf(field);
    return bound === undefined ? [] : [[name, bound]];
  });
  const isStrict = catchall !== undefined && defOf(catchall).type === "never";
  const most = isStrict ? Object.keys(shape).length + maxUnknownFields : Number.POSITIVE_INFINITY;
  return (value, path) => {
    if (!isObject(value)) return;
    if (Object.keys(value).length > most) throw fieldError(path.join("."), "has too many unknown fields");
    for (const [name, bound] of fields) {
      if (value[name] !== undefined) bound(value[name], [...path, name]);
    }
  };
}

function boundOfList({ element, checks = [] }: Def): Bound | undefined {
  const longest = checks.find(({ _zod }) => _zod.def.check === "max_length")?._zod.def;
  const inner = element && !isUnread(element) ? boundOf(element) : undefined;
  if (longest === undefined && inner === undefined) return undefined;
  const { maximum = Number.POSITIVE_INFINITY, error } = longest ?? {};
  return (value, path) => {
    if (!Array.isArray(value)) return;
    if (value.length > maximum) {
      const words = error?.({ code: "too_big", origin: "array", maximum, inclusive: true, input: value });
      throw fieldError(
        path.join("."),
        typeof words === "string"
          ? words
          : `must have at most ${maximum} ${maximum === 1 ? "item" : "items"}`,
      );
    }
    if (inner === undefined) return;
    for (const [index, entry] of value.entries()) inner(entry, [...path, String(index)]);
  };
}

/** Bounds a union only if one of its alternatives is a list: of several, it would be unclear which one is meant. */
function boundOfUnion(options: readonly z.ZodType[]): Bound | undefined {
  const lists = options.filter((option) => defOf(option).type === "array");
  const only = lists[0];
  return lists.length === 1 && only !== undefined ? boundOf(only) : undefined;
}

function boundOfRecord({ valueType }: Def): Bound {
  const isFree = valueType !== undefined && defOf(valueType).type === "unknown";
  const most = isFree ? maxRecordFields : maxCheckedFields;
  return (value, path) => {
    if (!isObject(value)) return;
    if (Object.hasOwn(value, "__proto__"))
      throw fieldError([...path, "__proto__"].join("."), "is a name that can't be used");
    if (Object.keys(value).length > most) throw fieldError(path.join("."), "has too many fields");
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
