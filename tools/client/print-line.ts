import { printDoc } from "../verbs/print-type.ts";
import { printSchema, type Schema } from "./print-schema.ts";

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
}

/** An operation of the OpenAPI document. */
export interface Operation {
  operationId: string;
  summary: string;
  tags: readonly string[];
  security?: readonly Record<string, unknown>[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** A route of the contract: an operation with its method and path, such as `GET /templates/{id}`. */
export interface Line extends Operation {
  signature: string;
}

/** Prints a route's input and output as a member of an interface. */
export function printLine(line: Line): string {
  const { signature, summary, parameters = [], requestBody } = line;
  const body = requestBody?.content["application/json"]?.schema;
  const given = parameters.filter(
    (one) => one.in !== "header" && !(canBeTried(line) && one.name === "dry_run"),
  );
  const file = takesFile(line) ? fileFields : undefined;
  // What is in the query of a list is beside its file.
  const own = mayBeFile(line) ? given.filter((one) => one.in === "path") : given;
  const fields: Schema = {
    type: "object",
    properties: {
      ...Object.fromEntries(own.map((one) => [one.name, schemaOf(one)])),
      ...body?.properties,
      ...file,
    },
    required: [
      ...own.filter(({ required }) => required === true).map(({ name }) => name),
      ...(body?.required ?? []),
      ...(file === undefined ? [] : ["content"]),
    ],
  };
  const printed = [printSchema(fields), ...(mayBeFile(line) ? [printSchema(asFile(given))] : [])]
    .map((one) => indent(one).replace("content: unknown", bytes))
    .join(" | ");
  return `${printDoc(`${summary}.`, "  ")}  ${JSON.stringify(signature)}: {\n    fields: ${printed};\n    reply: ${indent(printReply(line))};\n${printDryRun(line)}  };`;
}

/** Whether the body is a file. */
export const takesFile = ({ requestBody }: Line): boolean => requestBody?.content["*/*"] !== undefined;

/** Whether the body may be a list in a file instead of JSON. */
export const mayBeFile = ({ requestBody }: Line): boolean => requestBody?.content["text/csv"] !== undefined;

const asFile = (given: readonly Parameter[]): Schema => ({
  type: "object",
  properties: { ...Object.fromEntries(given.map((one) => [one.name, schemaOf(one)])), ...fileFields },
  required: [...given.filter(({ required }) => required === true).map(({ name }) => name), "content"],
});

/** Fields for a body that is a file. */
const fileFields: Record<string, Schema> = {
  content: { description: "The file." },
  content_type: { type: "string", description: "Its media type. Default: by the name's extension." },
  size: { type: "integer", description: "Bytes, where a stream's are known beforehand." },
};
const bytes = "content: Uint8Array<ArrayBuffer> | Blob | AsyncIterable<Uint8Array>";

/** In a path, a number may be given as such. */
function schemaOf({ in: place, schema, description }: Parameter): Schema {
  const words = description === undefined ? {} : { description };
  return place === "path"
    ? { ...words, anyOf: [{ type: "string" }, { type: "number" }] }
    : { ...schema, ...words };
}

/** Whether a dry run has a response of its own: a field of that name may also leave the response unchanged. */
const canBeTried = ({ parameters = [], responses }: Line): boolean =>
  parameters.some(({ name }) => name === "dry_run") &&
  Object.keys(responses).some((status) => /^2(?!00)/.test(status));

/** Prints the response of a dry run, if there is one. */
function printDryRun(line: Line): string {
  if (!canBeTried(line)) return "";
  return `    /** What a dry run answers. */\n    dryRun: ${indent(printAnswer(line.responses["200"], lastForm))};\n`;
}

function printReply(line: Line): string {
  const answers = Object.entries(line.responses)
    .filter(([status]) => status.startsWith("2") && !(canBeTried(line) && status === "200"))
    .map(([, answer]) => printAnswer(answer));
  return [...new Set(answers)].join(" | ");
}

/** Of an answer with several forms, the last is that of a dry run. */
const lastForm = (data: Schema): Schema => data.anyOf?.at(-1) ?? data;

function printAnswer(
  answer: Operation["responses"][string] | undefined,
  choose = (data: Schema): Schema => data,
): string {
  if (answer?.content === undefined) return "undefined";
  const schema = answer.content["application/json"]?.schema;
  if (schema === undefined) return "Uint8Array<ArrayBuffer>";
  const { data, pagination } = schema.properties ?? {};
  if (data === undefined) throw new Error("an answer has no data");
  return pagination === undefined ? printSchema(choose(data)) : `PageOf<${printSchema(data.items ?? {})}>`;
}

const indent = (text: string): string => text.replaceAll("\n", "\n    ");

/** Returns the fields in the query. */
export const queryOf = (line: Line): string[] =>
  (line.parameters ?? [])
    .filter((one) => one.in === "query" && !(canBeTried(line) && one.name === "dry_run"))
    .map(({ name }) => name);

/** Whether a route has query fields beside a body. */
export const hasQueryAndBody = (line: Line): boolean =>
  line.requestBody !== undefined && queryOf(line).length > 0;

/** Whether a route responds with a paged list. */
export const isPaged = (line: Line): boolean => printReply(line).startsWith("PageOf<");
