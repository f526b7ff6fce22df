import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Access, Way } from "@posthorn/core";
import { useCases } from "@posthorn/core/internal";
import { routes } from "@posthorn/http";
import type { z } from "zod";
import { isAllOptional, isEmpty, printFields, printLibraryDoc } from "./print-type.ts";

const root = resolve(import.meta.dirname, "../..");
const source = join(root, "packages/core/src");

/** Folder of the verbs' interfaces, relative to the repository's root. */
export const verbsFolder = "packages/core/src/verbs";

interface UseCase {
  access: Access;
  refusals?: readonly string[];
  input: z.ZodType;
}

interface Declared {
  /** Output type, by names that hosts can import; otherwise inferred by the compiler. */
  output: string;
  /** Name under which the use case is exported. */
  name: string;
  /** Path relative to core's `src`. */
  file: string;
  doc: string;
}

interface Verb extends Declared, UseCase {
  verb: string;
}

/** Finds the declaration of every use case: the object, its name, its file, and its docstring. */
async function findDeclarations(): Promise<Map<unknown, Declared>> {
  const found = new Map<unknown, Declared>();
  for (const file of globSync("**/*.ts", { cwd: source })) {
    if (file.endsWith(".test.ts") || file.startsWith("testing/")) continue;
    const text = readFileSync(join(source, file), "utf8");
    const declared = [
      ...text.matchAll(/(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export const (\w+) = useCase\(/g),
    ];
    if (declared.length === 0) continue;
    const module = (await import(join(source, file))) as Record<string, unknown>;
    for (const [, doc = "", name = ""] of declared)
      found.set(module[name], { name, file, doc: wordsOf(doc), output: findOutput(text, name) });
  }
  return found;
}

const index = readFileSync(join(source, "index.ts"), "utf8");
/** Returns the modules of exported types by name; for a module that is exported as a whole, by its declarations. */
const publicTypes = new Map([
  ...[...index.matchAll(/\{([^}]*)\} from "\.\/([^"]+)"/g)].flatMap(([, names = "", file = ""]) =>
    names.split(",").map((name): [string, string] => [name.trim().replace(/^type /, ""), file]),
  ),
  ...[...index.matchAll(/\* from "\.\/(?!verbs\/)([^"]+)"/g)].flatMap(([, file = ""]) =>
    [...readFileSync(join(source, file), "utf8").matchAll(/^export (?:interface|type) (\w+)/gm)].map(
      ([, name = ""]): [string, string] => [name, file],
    ),
  ),
]);
const builtIn = /^(?:void|string|number|boolean|true|false|undefined|null)$/;

/** Returns the names of types in a type's text, without fields of objects. */
const namesIn = (type: string): string[] =>
  type
    .replaceAll(/\w+\??:/g, "")
    .replaceAll(/"[^"]*"/g, "")
    .match(/\w+/g) ?? [];

/** Returns the declared result of a use case's `run`, if the package exports every name in it. */
function findOutput(text: string, name: string): string {
  const begun = text.slice(text.indexOf(`export const ${name} = useCase(`));
  const [line = ""] = begun.split("\n");
  const own = line.endsWith("});") ? line : begun.slice(0, begun.search(/^\}\);/m));
  const shared = /\brun: (?!async\b)(\w+)\b/.exec(own)?.[1];
  const from =
    shared === undefined
      ? own.slice(own.search(/\brun[:(]/))
      : text.slice(text.indexOf(`function ${shared}(`));
  // The first declared result is the use case's own; later ones belong to helpers.
  const first = from.slice(from.indexOf("): Promise<"));
  const told = /^\): Promise<([^()]+?)> (?:=>|\{\n)/.exec(first)?.[1]?.replace(" | ServiceError", "");
  const isNamed =
    told !== undefined && namesIn(told).every((one) => builtIn.test(one) || publicTypes.has(one));
  return isNamed ? told : `OutputOf<typeof ${name}>`;
}

/** Prints the imports of names in outputs. */
function importsOf(outputs: string[]): string[] {
  const names = new Set(outputs.flatMap(namesIn).filter((name) => !builtIn.test(name)));
  return [...names].sort().map((name) => `import type { ${name} } from "../${publicTypes.get(name)}";`);
}

const wordsOf = (doc: string): string =>
  doc
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trim())
    .join(" ")
    .trim();

const shapeOf = (access: Access): "workspace" | "workspaces" | "user" | "any" => {
  const ways: readonly Way[] = typeof access === "string" ? [access] : access;
  if (ways.includes("user")) return "user";
  const isForAll = ways.includes("anonymous") || ways.includes("administrator");
  if (ways.length === 1 && isForAll) return "any";
  return isForAll ? "workspaces" : "workspace";
};

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
const kebab = (word: string): string => word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const head =
  "// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.";

/** Verbs with the same input share one interface, named after the first of them. */
const inputName = ({ input }: Verb, verbs: Verb[]): string =>
  isEmpty(input) ? "NoInput" : `${capital(verbs.find((one) => one.input === input)?.name ?? "")}Input`;

function printInput(verb: Verb, verbs: Verb[]): string {
  const takers = verbs.filter(({ input }) => input === verb.input).map((one) => `\`${one.verb}\``);
  const doc = printLibraryDoc(`What ${takers.join(" and ")} take${takers.length > 1 ? "" : "s"}.`, "");
  return `${doc}export interface ${inputName(verb, verbs)} {\n${printFields(verb.input, "  ")}\n}\n`;
}

function printVerb(verb: Verb, verbs: Verb[]): string {
  const mark = isAllOptional(verb.input) ? "?" : "";
  const shape = `...call: K["${shapeOf(verb.access)}"]`;
  const codes = (verb.refusals ?? []).map((code) => `\`${code}\``).join(", ");
  const doc = printLibraryDoc(codes === "" ? verb.doc : `${verb.doc}\n\nMay refuse with ${codes}.`, "  ");
  return `${doc}  ${verb.verb}(\n    this: void,\n    input${mark}: ${inputName(verb, verbs)},\n    ${shape}\n  ): Promise<${verb.output}>;`;
}

/**
 * Prints the inputs of an aggregate's verbs by interface name: short ones in its own file, each long one in a separate
 * file.
 */
function printInputs(verbs: Verb[]): { own: string[]; apart: Map<string, string> } {
  const printed = verbs
    .filter(({ input }, index) => !isEmpty(input) && verbs.findIndex((one) => one.input === input) === index)
    .map((verb): [string, string] => [inputName(verb, verbs), printInput(verb, verbs)]);
  const isLong = ([, text]: [string, string]): boolean => text.split("\n").length > long;
  return {
    own: printed.filter((one) => !isLong(one)).map(([, text]) => text),
    apart: new Map(printed.filter(isLong)),
  };
}

/** Number of lines from which an input gets a file of its own. */
const long = 60;
const inputFile = (name: string): string => `inputs/${kebab(name).slice(1)}.ts`;

function printAggregate(
  aggregate: string,
  words: string,
  verbs: Verb[],
  { own, apart }: ReturnType<typeof printInputs>,
): string {
  const computed = verbs.filter(({ output }) => output.startsWith("OutputOf<"));
  const imports = computed
    .map(({ name, file }) => `import type { ${name} } from "../${file}";`)
    .sort((a, b) => (a.split('"')[1] ?? "").localeCompare(b.split('"')[1] ?? ""));
  return [
    head,
    ...(computed.length > 0 ? ['import type { OutputOf } from "../calls/use-case.ts";'] : []),
    ...importsOf(verbs.filter((verb) => !computed.includes(verb)).map(({ output }) => output)),
    ...imports,
    `import type { CallShapes${verbs.some(({ input }) => isEmpty(input)) ? ", NoInput" : ""} } from "./call-options.ts";`,
    ...[...apart.keys()].map((name) => `import type { ${name} } from "./${inputFile(name)}";`),
    "",
    ...own,
    `${printLibraryDoc(words, "")}export interface ${capital(aggregate)}Verbs<K extends CallShapes = CallShapes> {`,
    ...verbs.map((verb) => printVerb(verb, verbs)),
    "}",
    "",
  ].join("\n");
}

function printIndex(aggregates: { aggregate: string; words: string }[], inputs: string[]): string {
  return [
    "// Printed by `npm run verbs`. Do not edit.",
    ...aggregates.map(
      ({ aggregate }) => `import type { ${capital(aggregate)}Verbs } from "./${kebab(aggregate)}.ts";`,
    ),
    'import type { CallShapes } from "./call-options.ts";',
    "",
    'export type * from "./call-options.ts";',
    ...aggregates.map(({ aggregate }) => `export type * from "./${kebab(aggregate)}.ts";`),
    ...inputs.map((file) => `export type * from "./${file}";`),
    "",
    "/** Everything the service can do, by aggregate and verb. */",
    "export interface Verbs<K extends CallShapes> {",
    ...aggregates.map(
      ({ aggregate, words }) =>
        `${printLibraryDoc(words, "  ")}  readonly ${aggregate}: ${capital(aggregate)}Verbs<K>;`,
    ),
    "}",
    "",
  ].join("\n");
}

/** References to the specification, for readers of the source. */
const citation = / \((?:service|decisions|platform|queue|reliability)(?:\.md)?[ ,][^)]*\)/g;
/** Sentences that concern only hosts. */
const forHosts = / With the workspace `all`,[^.]*\./g;

/** Describes an operation of the API by its verb's docstring, whose errors are thrown to hosts only. */
const operationWords = (doc: string): string =>
  doc.replaceAll(citation, "").replaceAll(forHosts, "").replaceAll("Throws `", "Fails with `");

/** Prints what the API's reference says of each operation. */
function printOperationWords(declarations: Map<unknown, Declared>): string {
  const routed = new Set<unknown>(routes.map(({ useCase }) => useCase));
  const lines = Object.entries(useCases).flatMap(([aggregate, entries]) =>
    Object.entries(entries)
      .filter(([, useCase]) => routed.has(useCase))
      .map(([verb, useCase]) => {
        const words = operationWords(declarations.get(useCase)?.doc ?? "");
        return `  ${JSON.stringify(`${aggregate}.${verb}`)}: ${JSON.stringify(words)},`;
      }),
  );
  return [
    "// Printed by `npm run verbs`. Do not edit.",
    "/** What each operation of the API does, by the verb that it calls: the words of its docstring. */",
    "export const operationWords: Readonly<Record<string, string>> = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}

/** Reads the comment at the top of an aggregate's `index.ts`. */
function readWords(aggregate: string): string {
  for (const file of globSync("**/index.ts", { cwd: source })) {
    const text = readFileSync(join(source, file), "utf8");
    const doc = new RegExp(String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\nexport const ${aggregate} = \{`).exec(
      text,
    )?.[1];
    if (doc !== undefined) return wordsOf(doc);
  }
  throw new Error(`no index.ts declares ${aggregate} with a docstring`);
}

/** Prints the public verbs as interfaces, and what they do for the API's reference, by path from the root. */
export async function printVerbs(): Promise<Map<string, string>> {
  const declarations = await findDeclarations();
  const files = new Map<string, string>();
  const aggregates: { aggregate: string; words: string }[] = [];
  for (const [aggregate, entries] of Object.entries(useCases)) {
    const verbs = Object.entries(entries as Record<string, UseCase>).map(([verb, useCase]): Verb => {
      const declared = declarations.get(useCase);
      if (declared === undefined) throw new Error(`no file declares ${aggregate}.${verb}`);
      const { access, input, refusals = [] } = useCase;
      return { verb, ...declared, access, input, refusals };
    });
    const words = readWords(aggregate);
    aggregates.push({ aggregate, words });
    const inputs = printInputs(verbs);
    files.set(`${kebab(aggregate)}.ts`, printAggregate(aggregate, words, verbs, inputs));
    for (const [name, text] of inputs.apart) files.set(inputFile(name), `${head}\n${text}`);
  }
  const apart = [...files.keys()].filter((file) => file.startsWith("inputs/"));
  files.set("index.ts", printIndex(aggregates, apart));
  return new Map([
    ...[...files].map(([name, text]): [string, string] => [join(verbsFolder, name), text]),
    ["packages/http/src/open-api/operation-words.ts", printOperationWords(declarations)],
  ]);
}
