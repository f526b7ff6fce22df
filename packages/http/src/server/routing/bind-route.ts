import { fieldError, ServiceError } from "@posthorn/core";
import { isJsonObject } from "@posthorn/core/internal";
import type { Route } from "../../contract/route.ts";
import { fileFields, takesBody, takesFile } from "../../contract/signature.ts";
import {
  type Field,
  fromWire,
  renameLead,
  type Shape,
  shapeOf,
  toWireFault,
} from "../../contract/wire-names.ts";
import { readQuery, readScalar } from "../requests/read-query.ts";

/** Sources of a request's fields. */
interface Sources {
  /** Path parameters, decoded. */
  params: Record<string, string | undefined>;
  /** Query without its question mark. */
  query: string;
  /** Parsed body; `undefined` for none. For a file, its fields. */
  body: unknown;
  idempotencyKey: string | undefined;
}

/** A route with its field names resolved. */
export interface BoundRoute {
  route: Route;
  takesBody: boolean;
  /** Whether the body is a file. */
  takesFile: boolean;
  /** The same route for a body that is a list in a file, if it accepts one. */
  listFile: BoundRoute | undefined;
  /** Whether the query asks for a dry run. Throws `validation_failed` for a value that is neither true nor false. */
  isDryRun(query: string): boolean;
  /** Reads the use case's input. Throws `validation_failed` for faults that no schema describes. */
  read(sources: Sources): unknown;
  /** Converts an error to wire names. */
  toWireError(error: ServiceError): ServiceError;
}

/**
 * Resolves which wire name is which key of the use case's input. Throws a `TypeError` if a name is ambiguous or
 * unknown.
 */
export function bindRoute(route: Route, isFile: boolean = takesFile(route.signature)): BoundRoute {
  const { open, params } = splitFields(route, isFile);
  const body = !isFile && takesBody(route.signature);
  const names = namesOf(route, isFile, open, params);
  return {
    route,
    takesBody: body,
    takesFile: isFile,
    listFile:
      route.listFile && bindRoute({ ...route, useCase: route.listFile as never, listFile: undefined }, true),
    isDryRun: (query) => route.dryRun !== undefined && readDryRun(query),
    read({ params: given, query, body: value, idempotencyKey }) {
      const asked = readQuery(query);
      if (route.dryRun !== undefined) delete asked.dry_run;
      const input = body ? readBody(open, value, asked) : readQueryFields(open, asked);
      for (const { name, key, shape } of params) input[key] = readScalar(shape, given[name] ?? "");
      if (isFile) Object.assign(input, value);
      if (route.idempotent && idempotencyKey !== undefined) input.idempotencyKey = idempotencyKey;
      return input;
    },
    toWireError: (error) => renameFaults(names, error),
  };
}

function readDryRun(query: string): boolean {
  const { dry_run: asked = "false" } = readQuery(query);
  if (asked !== "true" && asked !== "false") throw fieldError("dry_run", "must be true or false");
  return asked === "true";
}

type ObjectShape = Extract<Shape, { kind: "object" }>;

/** Separates the input's fields into path parameters and those of the body or query. */
function splitFields(
  route: Route,
  isFile: boolean,
): { open: ObjectShape; params: (Field & { name: string })[] } {
  const shape = shapeOf(route.useCase.input);
  if (shape.kind !== "object") throw new TypeError(`${route.signature}: the input is not an object`);
  const fields = new Map(shape.fields);
  const params = Object.entries(route.params).map(([name, key]) => {
    const entry = [...fields].find(([, field]) => field.key === key);
    if (entry === undefined) throw new TypeError(`${route.signature}: the use case takes no ${key}`);
    fields.delete(entry[0]);
    return { name, ...entry[1] };
  });
  if (route.idempotent && !fields.delete("idempotency_key")) {
    throw new TypeError(`${route.signature}: the use case takes no idempotencyKey`);
  }
  if (isFile) for (const name of fileFields) fields.delete(name);
  return { open: { ...shape, fields }, params };
}

/** Returns the shape by which error paths are renamed, including path parameters and header fields. */
function namesOf(
  route: Route,
  isFile: boolean,
  open: ObjectShape,
  params: (Field & { name: string })[],
): ObjectShape {
  const fields = new Map(open.fields);
  for (const { name, key, shape } of params) fields.set(name, { key, shape, isElsewhere: true });
  const nameHeader = (name: string, key: string) =>
    fields.set(name, { key, shape: { kind: "other" }, isElsewhere: true });
  if (route.idempotent) nameHeader("Idempotency-Key", "idempotencyKey");
  if (isFile) nameHeader("Content-Type", "contentType");
  return { ...open, fields };
}

function readBody(open: ObjectShape, value: unknown, asked: Record<string, string>): Record<string, unknown> {
  if (value !== undefined && !isJsonObject(value)) {
    throw new ServiceError("validation_failed", { message: "The body is not a JSON object." });
  }
  const input = fromWire(open, value ?? {}) as Record<string, unknown>;
  for (const name of Object.keys(asked)) input[`?${name}`] = asked[name];
  return input;
}

function readQueryFields(open: ObjectShape, asked: Record<string, string>): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(asked)) {
    const field = open.fields.get(name);
    const entry = entryOf(open, name);
    if (entry !== undefined) input[entry.field] = { ...(input[entry.field] as object), [entry.key]: text };
    else if (field === undefined) input[`?${name}`] = text;
    else if (field.shape.kind === "record") throw fieldError(name, `must name an entry: ${name}[order]=7`);
    else input[field.key] = readScalar(field.shape, text);
  }
  return input;
}

/** Parses `metadata[order]` as an entry of the record `metadata`; its key may be any text. */
function entryOf(open: ObjectShape, name: string): { field: string; key: string } | undefined {
  const [, record = "", key = ""] = /^(\w+)\[(.+)\]$/s.exec(name) ?? [];
  const field = open.fields.get(record);
  // Assigning `__proto__` to an object would change the object itself.
  return field?.shape.kind === "record" && key !== "__proto__" ? { field: field.key, key } : undefined;
}

function renameFaults(names: ObjectShape, error: ServiceError): ServiceError {
  if (!Array.isArray(error.details)) return error;
  const details = error.details.map((fault) => toWireFault(names, fault));
  const [fault] = error.details;
  const [renamed] = details;
  const message = fault && renamed ? renameLead(error.message, fault, renamed) : error.message;
  const { code, more } = error;
  return new ServiceError(code, { message, details, cause: error, ...(more === undefined ? {} : { more }) });
}
