import type { z } from "zod";
import { nativeTypes } from "../../packages/core/src/calls/input/native-types.ts";
import { errorMessages } from "../../packages/core/src/errors.ts";

/** The parts of a schema's definition that its input type needs. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  element?: z.ZodType;
  options?: z.ZodType[];
  in?: z.ZodType;
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  values?: unknown[];
  entries?: Record<string, string>;
}

const definitionOf = (schema: z.ZodType): Definition => schema._zod.def as unknown as Definition;

const plain: Record<string, string> = {
  string: "string",
  number: "number",
  boolean: "boolean",
  unknown: "unknown",
  any: "unknown",
  null: "null",
  undefined: "undefined",
  date: "Date",
};

const wrappers = ["optional", "default", "prefault", "readonly", "nonoptional", "catch"];

/** Prints the TypeScript type of a schema's input. Throws for a kind of schema that no input has used yet. */
export function printType(schema: z.ZodType): string {
  const definition = definitionOf(schema);
  const { type } = definition;
  const word = plain[type];
  if (word !== undefined) return word;
  if (wrappers.includes(type)) return printType(need(definition.innerType));
  if (type === "pipe") return printType(need(definition.in));
  if (type === "nullable") return `${printType(need(definition.innerType))} | null`;
  if (type === "array") return `${bracketed(printType(need(definition.element)))}[]`;
  if (type === "record")
    return `Record<${printType(need(definition.keyType))}, ${printType(need(definition.valueType))}>`;
  if (type === "union")
    return [...new Set(need(definition.options).map((option) => printType(option)))].join(" | ");
  if (type === "literal")
    return need(definition.values)
      .map((value) => JSON.stringify(value))
      .join(" | ");
  if (type === "enum")
    return Object.values(need(definition.entries))
      .map((value) => JSON.stringify(value))
      .join(" | ");
  const native = nativeTypes.get(schema);
  if (native !== undefined) return native.type;
  if (type === "object") return `{\n${printFields(schema, "  ")}\n}`;
  throw new Error(`print-type.ts can't print the type of a schema of kind ${type}`);
}

const bracketed = (type: string): string =>
  /[ |]/.test(type) && !/^(?:Record<|\{)/.test(type) ? `(${type})` : type;

/** Prints the fields of an object, each below its description. */
export function printFields(schema: z.ZodType, indent: string): string {
  return Object.entries(need(definitionOf(schema).shape))
    .map(([name, field]) => {
      const mark = isOptional(field) ? "?" : "";
      const type = printType(field).replaceAll("\n", `\n${indent}`);
      const undefinedToo = isOptional(field) ? " | undefined" : "";
      const words = describe(field);
      if (words === undefined) throw new Error(`the field ${name} needs words: .describe("…")`);
      return `${printLibraryDoc(withNativeTimes(words, type), indent)}${indent}${name}${mark}: ${type}${undefinedToo};`;
    })
    .join("\n");
}

/** Adds to the words of a time, which the API's reference shares, what a host may give instead of a text. */
const withNativeTimes = (words: string, type: string): string =>
  type.startsWith("string | Date | number")
    ? words.replace(/ISO 8601(?: with an offset)?/, "$&, a `Date` or ms since the epoch")
    : words;

/** Whether there are no fields. */
export const isEmpty = (schema: z.ZodType): boolean =>
  Object.keys(need(definitionOf(schema).shape)).length === 0;

/** Whether every field is optional. */
export const isAllOptional = (schema: z.ZodType): boolean =>
  Object.values(need(definitionOf(schema).shape)).every(isOptional);

const isOptional = (schema: z.ZodType): boolean => schema._zod.optin !== undefined;

/** Returns the description of a schema, or of the one that it wraps. */
function describe(schema: z.ZodType): string | undefined {
  const definition = definitionOf(schema);
  const inner = definition.innerType ?? (definition.type === "pipe" ? definition.in : undefined);
  return schema.description ?? (inner === undefined ? undefined : describe(inner));
}

/** Prints a docstring, in as many lines as it needs. */
export function printDoc(words: string | undefined, indent: string): string {
  if (words === undefined || words === "") return "";
  const room = 118 - indent.length;
  const lines = words.split("\n").flatMap((line) => wrap(line, room - 3));
  const [only] = lines;
  return lines.length === 1
    ? `${indent}/** ${only} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

/**
 * Prints a docstring of the library, which names fields in camelCase: the words are shared with the API's reference. Error
 * codes are the same in both.
 */
export const printLibraryDoc = (words: string | undefined, indent: string): string =>
  printDoc(
    words?.replaceAll(/(?<=`)[a-z]+(?:_[a-z]+)+(?=`)/g, (name) =>
      Object.hasOwn(errorMessages, name)
        ? name
        : name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    ),
    indent,
  );

function wrap(text: string, room: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + 1 + word.length > room) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a schema lacks a part of its definition");
  return value;
}
