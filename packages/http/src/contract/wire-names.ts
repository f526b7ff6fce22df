import type { FieldFault } from "@posthorn/core";
import { isJsonObject, maxUnknownFields, snakeCase, takesTime, unknownField } from "@posthorn/core/internal";
import type { z } from "zod";

/** Converts `maxApiKeys` to `max_api_keys`. */
export type SnakeCase<S extends string> = S extends `${infer C}${infer Rest}`
  ? C extends Lowercase<C>
    ? `${C}${SnakeCase<Rest>}`
    : `_${Lowercase<C>}${SnakeCase<Rest>}`
  : S;

/** Type of an input on the wire: known keys in snake_case, records unchanged. */
export type WireOf<T> = T extends readonly (infer E)[]
  ? WireOf<E>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { [K in keyof T as K extends string ? SnakeCase<K> : K]: WireOf<T[K]> }
    : T;

/** Structure of a schema, as far as names are concerned: objects, arrays and unions of them. */
export type Shape =
  | { kind: "object"; fields: Map<string, Field>; strict: boolean }
  | { kind: "array"; element: Shape }
  | { kind: "choice"; options: Shape[] }
  | { kind: "integer" | "number" | "boolean" | "time" | "record" | "other" };

/** A field of an object, stored under its wire name. */
export interface Field {
  key: string;
  shape: Shape;
  /** Whether the request has it elsewhere: in its path, or in a header. */
  isElsewhere?: boolean;
}

type Def = {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  options?: z.ZodType[];
  catchall?: z.ZodType;
  format?: string;
};

const defOf = (schema: z.ZodType): Def => schema._zod.def as unknown as Def;
const other: Shape = { kind: "other" };

/** Reads a schema's structure, without the contents of records: their keys belong to the caller. */
export function shapeOf(schema: z.ZodType): Shape {
  const def = defOf(schema);
  if (def.shape !== undefined) {
    const fields = new Map<string, Field>();
    for (const [key, field] of Object.entries(def.shape)) {
      fields.set(snakeCase(key), { key, shape: shapeOf(field) });
    }
    return {
      kind: "object",
      fields,
      strict: def.catchall !== undefined && defOf(def.catchall).type === "never",
    };
  }
  if (def.element !== undefined) return { kind: "array", element: shapeOf(def.element) };
  if (def.innerType !== undefined) return shapeOf(def.innerType);
  if (def.type === "pipe" && def.in !== undefined && def.out !== undefined) {
    return shapeOf(defOf(def.in).type === "transform" ? def.out : def.in);
  }
  if (def.options?.some(takesTime)) return { kind: "time" };
  if (def.options !== undefined) return { kind: "choice", options: def.options.map(shapeOf) };
  if (def.type === "number") return { kind: def.format === "safeint" ? "integer" : "number" };
  return def.type === "boolean" || def.type === "record" ? { kind: def.type } : other;
}

/** The shape that fits a value, among the options of a choice. */
function shapeFor(shape: Shape, value: unknown): Shape {
  if (shape.kind !== "choice") return shape;
  const kind = Array.isArray(value) ? "array" : isJsonObject(value) ? "object" : undefined;
  return (
    shape.options.map((option) => shapeFor(option, value)).find((option) => option.kind === kind) ?? other
  );
}

/**
 * Renames known keys to the schema's names. An unknown field gets a question mark before its name, which no schema has,
 * so that the schema reports it together with all other faults; those beyond what it reports are left out.
 */
export function fromWire(shape: Shape, value: unknown): unknown {
  const fitting = shapeFor(shape, value);
  // In JSON a time is a string, whatever else a host may pass.
  if (fitting.kind === "time" && typeof value === "number") return String(value);
  if (fitting.kind === "array" && Array.isArray(value)) {
    const element = fitting.element;
    return element.kind === "object" || element.kind === "array" || element.kind === "choice"
      ? value.map((entry) => fromWire(element, entry))
      : value;
  }
  if (fitting.kind !== "object" || !isJsonObject(value)) return value;
  const input: Record<string, unknown> = {};
  let room = fitting.strict ? fitting.fields.size + maxUnknownFields + 1 : Number.POSITIVE_INFINITY;
  for (const name of Object.keys(value)) {
    const field = fitting.fields.get(name);
    if (field !== undefined) input[field.key] = fromWire(field.shape, value[name]);
    else if (room-- > 0) input[`?${name}`] = value[name];
  }
  return input;
}

/**
 * Converts a fault whose path has the schema's names, such as `recipients.0.templateData.a`, to wire names. An unknown
 * field is compared with those that could stand in its place.
 */
export function toWireFault(shape: Shape, fault: FieldFault): FieldFault {
  const segments = fault.path === "" ? [] : fault.path.split(".");
  const names: string[] = [];
  let shapes = [shape];
  for (const [at, segment] of segments.entries()) {
    shapes = shapes.flatMap((each) => (each.kind === "choice" ? each.options : [each]));
    const fields = shapes.flatMap((each) => (each.kind === "object" ? [...each.fields] : []));
    const found = fields.find(([, field]) => field.key === segment);
    if (found !== undefined) {
      names.push(found[0]);
      shapes = [found[1].shape];
    } else if (segment.startsWith("?") && shapes.some(({ kind }) => kind === "object")) {
      // Whatever follows is part of the name, which may hold dots.
      const name = segments.slice(at).join(".").slice(1);
      const known = fields.flatMap(([one, { isElsewhere }]) => (isElsewhere === true ? [] : [one]));
      // Of a route with a body, the query's fields are unknown.
      const message = known.includes(name)
        ? "belongs in the body, not in the query"
        : unknownField(name, known, "route");
      return { ...fault, path: [...names, name].join("."), message };
    } else {
      names.push(segment);
      shapes = shapes.flatMap((each) => (each.kind === "array" ? [each.element] : []));
    }
  }
  return { ...fault, path: names.join(".") };
}

/** Puts a fault's wire form in place of the fault at the beginning of a message. */
export function renameLead(message: string, fault: FieldFault, renamed: FieldFault): string {
  if (fault.path === "" || !message.startsWith(`${fault.path}: `)) return message;
  const rest = message.slice(fault.path.length + 2);
  const isWhole = rest.startsWith(fault.message);
  return `${renamed.path}: ${isWhole ? renamed.message + rest.slice(fault.message.length) : rest}`;
}
