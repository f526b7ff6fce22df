import { printDoc } from "../verbs/print-type.ts";

/** The parts of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  description?: string;
  default?: unknown;
}

const plain: Record<string, string> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

/** Prints the TypeScript type of a schema. */
export function printSchema(schema: Schema): string {
  if (schema.$ref !== undefined) return renamed(schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(printSchema))].join(" | ");
  if (schema.allOf !== undefined) return schema.allOf.map(printSchema).join(" & ");
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => printSchema({ ...schema, type })).join(" | ");
  if (schema.type === "array") return `${bracketed(printSchema(schema.items ?? {}))}[]`;
  if (schema.type === "object" || schema.properties !== undefined) return printObject(schema);
  return plain[String(schema.type)] ?? "unknown";
}

/** Type names of shared schemas that differ: JavaScript already has an `Error`. */
export const renamed = (name: string): string => (name === "Error" ? "Refusal" : name);

const bracketed = (type: string): string =>
  /[ |&]/.test(type) && !type.startsWith("{") ? `(${type})` : type;

function printObject({ properties, required = [], additionalProperties }: Schema): string {
  if (properties === undefined || Object.keys(properties).length === 0) {
    if (additionalProperties === false) return "Record<string, never>";
    const value = typeof additionalProperties === "object" ? printSchema(additionalProperties) : "unknown";
    return properties === undefined ? `Record<string, ${value}>` : "Record<never, never>";
  }
  const lines = Object.entries(properties).map(([name, schema]) => {
    const optional = !required.includes(name);
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const type = printSchema(schema).replaceAll("\n", "\n  ");
    return `${printDoc(schema.description, "  ")}  ${key}${optional ? "?" : ""}: ${type}${optional ? " | undefined" : ""};`;
  });
  return `{\n${lines.join("\n")}\n}`;
}
