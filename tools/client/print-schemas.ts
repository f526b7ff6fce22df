import { globSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { printDoc } from "../verbs/print-type.ts";
import { printSchema, renamed, type Schema } from "./print-schema.ts";

const wireFolder = resolve(import.meta.dirname, "../../packages/http/src/contract/wire");

/**
 * Returns the files of shared schemas, each named after the file of `wire/` that declares the schema, and an index of
 * those files and of `others`.
 */
export function printSchemas(
  schemas: Record<string, Schema>,
  others: readonly [string, string][],
): [string, string][] {
  const homes = findHomes();
  const files = Map.groupBy(Object.entries(schemas), ([name]) => homes.get(name) ?? general);
  const fileOf = new Map(Object.keys(schemas).map((name) => [renamed(name), homes.get(name) ?? general]));
  const names = [...files.keys()].sort();
  return [
    [
      "schemas.ts",
      [...names, ...others.map(([name]) => name)]
        .map((name) => `export type * from "./schemas/${name}";\n`)
        .sort()
        .join(""),
    ],
    ...others.map(([name, text]): [string, string] => [`schemas/${name}`, text]),
    ...names.map((name): [string, string] => {
      const body = (files.get(name) ?? []).map(printThing).join("\n");
      return [`schemas/${name}`, `${printImports(name, body, fileOf)}\n${body}`];
    }),
  ];
}

/** File of the schemas that any call may return. */
const general = "answers.ts";

/** Finds the file of `wire/` that declares each schema. */
function findHomes(): Map<string, string> {
  const files = globSync("*.ts", { cwd: wireFolder }).filter((file) => basename(file) !== "schemas.ts");
  return new Map(
    files.flatMap((file) =>
      [...readFileSync(join(wireFolder, file), "utf8").matchAll(/\bnamed\(\s*"(\w+)"/g)].map(
        ([, name = ""]): [string, string] => [name, file],
      ),
    ),
  );
}

function printThing([key, schema]: [string, Schema]): string {
  const name = renamed(key);
  const doc = printDoc(schema.description ?? `\`${name}\` of the API.`, "");
  const printed = printSchema(schema);
  return printed.startsWith("{") && schema.properties !== undefined
    ? `${doc}export interface ${name} ${printed}\n`
    : `${doc}export type ${name} = ${printed};\n`;
}

function printImports(file: string, body: string, fileOf: ReadonlyMap<string, string>): string {
  const used = namesIn(body, [...fileOf.keys()]).filter((name) => fileOf.get(name) !== file);
  const byFile = Map.groupBy(used, (name) => fileOf.get(name));
  return [...byFile]
    .map(([from, names]) => `import type { ${names.join(", ")} } from "./${from}";\n`)
    .join("");
}

/** Returns the names that the text uses as types, not in docstrings or as fields. */
export function namesIn(text: string, names: readonly string[]): string[] {
  const code = text.replace(/\/\*\*.*?\*\//gs, "").replace(/"[^"\n]*"/g, "");
  return names.filter((name) => new RegExp(`\\b${name}\\b(?=[;\\[\\]>} |)]|$)`, "m").test(code));
}
