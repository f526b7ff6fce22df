import { createOpenApi, routes } from "@posthorn/http";
import { printDoc } from "../verbs/print-type.ts";
import { printSchema, renamed, type Schema } from "./print-schema.ts";

/** Where the client keeps what it knows of the contract. */
export const contractFolder = "packages/client/src/contract";

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Operation {
  summary: string;
  tags: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Line extends Operation {
  signature: string;
}

const head = "// Printed by `npm run docs:routes` from the table of routes.\n";

/** The files of the contract by name: what goes in and out of every line, by its first tag, and the things that they share. */
export function printContract(): Map<string, string> {
  const document = createOpenApi(routes) as unknown as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const lines = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // The stream of events is no call.
      .filter(([, { responses }]) => responses["200"]?.content?.["text/event-stream"] === undefined)
      .map(
        ([method, operation]): Line => ({
          ...operation,
          signature: `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, "")}`,
        }),
      ),
  );
  const tags = [...new Set(lines.map(tagOf))].sort();
  const { schemas } = document.components;
  return new Map([
    ["schemas.ts", `${head}\n${Object.entries(schemas).map(printThing).join("\n")}`],
    ...tags.map((tag): [string, string] => [
      `${tag}.ts`,
      printGroup(
        tag,
        lines.filter((line) => tagOf(line) === tag),
        Object.keys(schemas).map(renamed),
      ),
    ]),
    ["index.ts", printIndex(tags, lines)],
  ]);
}

const tagOf = ({ tags }: Line): string => tags[0] ?? "other";

const typeName = (tag: string): string =>
  `${tag.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase())}Lines`;

function printThing([key, schema]: [string, Schema]): string {
  const name = renamed(key);
  const doc = printDoc(schema.description ?? `\`${name}\` of the API.`, "");
  const printed = printSchema(schema);
  return printed.startsWith("{") && schema.properties !== undefined
    ? `${doc}export interface ${name} ${printed}\n`
    : `${doc}export type ${name} = ${printed};\n`;
}

function printGroup(tag: string, lines: readonly Line[], things: readonly string[]): string {
  const body = lines.map(printLine).join("\n");
  const used = things.filter((name) => new RegExp(`\\b${name}\\b(?=[;\\[\\]>} |)]|$)`, "m").test(body));
  const imports = [
    ...(body.includes("PageOf<") ? ['import type { PageOf } from "../page-of.ts";\n'] : []),
    ...(used.length > 0 ? [`import type { ${used.join(", ")} } from "./schemas.ts";\n`] : []),
  ];
  return `${head}${imports.join("")}\n/** Lines of the contract about ${tag.replaceAll("-", " ")}. */\nexport interface ${typeName(tag)} {\n${body}\n}\n`;
}

function printLine(line: Line): string {
  const { signature, summary, parameters = [], requestBody } = line;
  const body = requestBody?.content["application/json"]?.schema;
  const given = parameters.filter(
    (one) => one.in !== "header" && !(canBeTried(line) && one.name === "dry_run"),
  );
  const file = takesFile(line) ? fileFields : undefined;
  const fields: Schema = {
    type: "object",
    properties: {
      ...Object.fromEntries(given.map((one) => [one.name, schemaOf(one)])),
      ...body?.properties,
      ...file,
    },
    required: [
      ...given.filter(({ required }) => required === true).map(({ name }) => name),
      ...(body?.required ?? []),
      ...(file === undefined ? [] : ["content"]),
    ],
  };
  const printed = [printSchema(fields), ...(mayBeFile(line) ? [printSchema(asFile(given))] : [])]
    .map((one) => indent(one).replace("content: unknown", bytes))
    .join(" | ");
  return `${printDoc(`${summary}.`, "  ")}  ${JSON.stringify(signature)}: {\n    fields: ${printed};\n    reply: ${indent(printReply(line))};\n${printDryRun(line)}  };`;
}

const takesFile = ({ requestBody }: Line): boolean => requestBody?.content["*/*"] !== undefined;

/** Whether the body may be a list as a file instead of JSON. */
const mayBeFile = ({ requestBody }: Line): boolean => requestBody?.content["text/csv"] !== undefined;

const asFile = (given: readonly Parameter[]): Schema => ({
  type: "object",
  properties: { ...Object.fromEntries(given.map((one) => [one.name, schemaOf(one)])), ...fileFields },
  required: [...given.filter(({ required }) => required === true).map(({ name }) => name), "content"],
});

/** What a body that is a file is given as. */
const fileFields: Record<string, Schema> = {
  content: { description: "The file." },
  content_type: { type: "string", description: "Its media type. Default: by the name's extension." },
  size: { type: "integer", description: "Bytes, where a stream's are known beforehand." },
};
const bytes = "content: Uint8Array<ArrayBuffer> | Blob | AsyncIterable<Uint8Array>";

/** Of a path, a number may stand for itself. */
function schemaOf({ in: place, schema, description }: Parameter): Schema {
  const words = description === undefined ? {} : { description };
  return place === "path"
    ? { ...words, anyOf: [{ type: "string" }, { type: "number" }] }
    : { ...schema, ...words };
}

/** Whether a dry run has an answer of its own: a field of that name may also leave the answer as it is. */
const canBeTried = ({ parameters = [], responses }: Line): boolean =>
  parameters.some(({ name }) => name === "dry_run") &&
  Object.keys(responses).some((status) => /^2(?!00)/.test(status));

/** What an attempt without consequences answers, where there can be one. */
function printDryRun(line: Line): string {
  if (!canBeTried(line)) return "";
  return `    /** What a dry run answers. */\n    dryRun: ${indent(printAnswer(line.responses["200"]))};\n`;
}

function printReply(line: Line): string {
  const answers = Object.entries(line.responses)
    .filter(([status]) => status.startsWith("2") && !(canBeTried(line) && status === "200"))
    .map(([, answer]) => printAnswer(answer));
  return [...new Set(answers)].join(" | ");
}

function printAnswer(answer: Operation["responses"][string] | undefined): string {
  if (answer?.content === undefined) return "undefined";
  const told = answer.content["application/json"]?.schema;
  if (told === undefined) return "Uint8Array<ArrayBuffer>";
  // Where one status has several answers, the last is that of a dry run.
  const schema = told.anyOf?.at(-1) ?? told;
  const { data, pagination } = schema.properties ?? {};
  if (data === undefined) throw new Error("an answer has no data");
  return pagination === undefined ? printSchema(data) : `PageOf<${printSchema(data.items ?? {})}>`;
}

const indent = (text: string): string => text.replaceAll("\n", "\n    ");

const queryOf = (line: Line): string[] =>
  (line.parameters ?? [])
    .filter((one) => one.in === "query" && !(canBeTried(line) && one.name === "dry_run"))
    .map(({ name }) => name);

const hasQueryAndBody = (line: Line): boolean => line.requestBody !== undefined && queryOf(line).length > 0;

const isPaged = (line: Line): boolean => printReply(line).startsWith("PageOf<");

function printIndex(tags: readonly string[], lines: readonly Line[]): string {
  const names = (wanted: (line: Line) => boolean): string =>
    JSON.stringify(lines.filter(wanted).map(({ signature }) => signature));
  const byLine = (wanted: readonly Line[], value: (line: Line) => unknown): string =>
    JSON.stringify(Object.fromEntries(wanted.map((line) => [line.signature, value(line)])));
  return [
    head,
    ...tags.map((tag) => `import type { ${typeName(tag)} } from "./${tag}.ts";\n`),
    "\n/** What every line of the contract takes and answers. */\n",
    `export interface Contract extends ${tags.map(typeName).join(", ")} {}\n`,
    "\n/** Lines whose fields come in the body although they delete. */\n",
    `export const deletesWithBody: readonly string[] = ${names(
      ({ signature, requestBody }) => signature.startsWith("DELETE") && requestBody !== undefined,
    )};\n`,
    "\n/** Fields that come in the query beside a body. */\n",
    `export const queried: Readonly<Record<string, readonly string[]>> = ${byLine(lines.filter(hasQueryAndBody), queryOf)};\n`,
    "\n/** Lines whose body is a file, or may be one. */\n",
    `export const filesAsBody: readonly string[] = ${names((line) => takesFile(line) || mayBeFile(line))};\n`,
    "\n/** Lists that have pages. */\n",
    `export const pagedLists: readonly string[] = ${names(isPaged)};\n`,
    "\n/** Lines that take an idempotency key. */\n",
    `export const repeatable: readonly string[] = ${names(({ parameters = [] }) =>
      parameters.some(({ name }) => name === "Idempotency-Key"),
    )};\n`,
  ].join("");
}
