import { fieldError, ServiceError } from "@posthorn/core";
import type { Shape } from "../../contract/wire-names.ts";

/** Parses a query string. Throws `validation_failed` for a repeated name and for invalid percent-encoding. */
export function readQuery(query: string): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  if (query === "") return fields;
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (name in fields) throw fieldError(name, "is given more than once");
    fields[name] = equals < 0 ? "" : decode(pair.slice(equals + 1), name);
  }
  return fields;
}

/** Decodes a name, or the value of the field `name`. */
function decode(text: string, name?: string): string {
  const value = decodeUtf8(text.replaceAll("+", " "));
  // A file's name loses its control characters instead of being refused (platform.md P3).
  if (value !== undefined && (name === "filename" || !value.includes("\0"))) return value;
  const fault = value === undefined ? "is not percent-encoded UTF-8" : "contains a NUL character";
  if (name !== undefined) throw fieldError(name, fault);
  throw new ServiceError("validation_failed", { message: `The query string ${fault}.` });
}

function decodeUtf8(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** As it is written usually: another spelling would be another path to the same thing, unknown to a proxy that protects one. */
const integer = /^(?:0|-?[1-9]\d{0,15})$/;
const decimal = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/;

/**
 * Converts text of a path or query to the type of its field; leaves it as text if it does not parse, for the schema to
 * refuse.
 */
export function readScalar(shape: Shape, text: string): unknown {
  if (shape.kind === "integer") return integer.test(text) ? Number(text) : text;
  if (shape.kind === "number") return decimal.test(text) ? Number(text) : text;
  if (shape.kind === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (shape.kind === "choice") {
    const values = shape.options.map((option) => readScalar(option, text));
    return values.find((value) => typeof value !== "string") ?? text;
  }
  return text;
}
