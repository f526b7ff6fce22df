import { createOpenApi, routes } from "@posthorn/http";
import { printDoc } from "../verbs/print-type.ts";
import {
  hasQueryAndBody,
  isPaged,
  type Line,
  mayBeFile,
  type Operation,
  printLine,
  queryOf,
  takesFile,
} from "./print-line.ts";
import { renamed, type Schema } from "./print-schema.ts";
import { namesIn, printSchemas } from "./print-schemas.ts";
import { printWebhookEvents } from "./print-webhook-events.ts";

/** Folder of the client's copy of the contract. */
export const contractFolder = "packages/client/src/contract";

const head = "// Printed by `npm run docs:routes` from the table of routes.\n";

/** Number of lines from which a route gets a file of its own. */
const long = 60;

/** Returns the files of the contract by name: inputs and outputs of every route, by subject, and shared schemas. */
export function printContract(): Map<string, string> {
  const document = createOpenApi(routes) as unknown as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
    webhooks: Parameters<typeof printWebhookEvents>[0];
  };
  const lines = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // The stream of events is not a call.
      .filter(([, { responses }]) => responses["200"]?.content?.["text/event-stream"] === undefined)
      .map(
        ([method, operation]): Line => ({
          ...operation,
          signature: `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, "")}`,
        }),
      ),
  );
  const { schemas } = document.components;
  const things = Object.keys(schemas).map(renamed);
  const bySubject = Map.groupBy(lines, subjectOf);
  const subjects = [...bySubject.keys()].sort();
  const printed = [
    ...printSchemas(schemas, printWebhookEvents(document.webhooks)),
    ...subjects.flatMap((subject) => printSubject(subject, bySubject.get(subject) ?? [], things)),
    ["index.ts", printIndex(subjects, lines)] as const,
  ];
  return new Map(printed.map(([name, text]) => [name, `${head}${text}`]));
}

/** Returns the first tag; administrators' routes are distinguished by what they act on. */
function subjectOf({ tags: [tag = "other"], signature }: Line): string {
  const [, thing = ""] = /\/admin\/([\w-]+)/.exec(signature) ?? [];
  return tag === "admin" ? `admin-${thing}` : tag;
}

const typeName = (name: string): string =>
  name.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase());
const linesOf = (subject: string): string => `${typeName(subject)}Lines`;

/** Returns the files of a subject: one, and one for each long route. */
function printSubject(
  subject: string,
  lines: readonly Line[],
  things: readonly string[],
): (readonly [string, string])[] {
  const isLong = (line: Line): boolean => printLine(line).split("\n").length > long;
  const apart = lines.filter(isLong).map((line) => ({ line, name: nameOf(line) }));
  const imports = apart.map(({ name }) => `import type { ${typeName(name)}Line } from "./${name}.ts";\n`);
  const body = printInterface(
    `Lines of the contract about ${subject.replaceAll("-", " ")}.`,
    [linesOf(subject), apart.map(({ name }) => `${typeName(name)}Line`).join(", ")],
    lines.filter((line) => !isLong(line)),
  );
  return [
    [`${subject}.ts`, `${printImports(body, things)}${imports.join("")}\n${body}`],
    ...apart.map(({ line, name }) => {
      const own = printInterface(`The line \`${line.signature}\`.`, [`${typeName(name)}Line`, ""], [line]);
      return [`${name}.ts`, `${printImports(own, things)}\n${own}`] as const;
    }),
  ];
}

/** Returns the operation's name as a file name: `emails.sendTemplate` is `emails-send-template`. */
const nameOf = ({ operationId }: Line): string =>
  operationId.replace(".", "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function printInterface(words: string, [name, bases]: [string, string], lines: readonly Line[]): string {
  const heritage = bases === "" ? "" : ` extends ${bases}`;
  return `${printDoc(words, "")}export interface ${name}${heritage} {\n${lines.map(printLine).join("\n")}\n}\n`;
}

function printImports(body: string, things: readonly string[]): string {
  const used = namesIn(body, things);
  return [
    ...(body.includes("PageOf<") ? ['import type { PageOf } from "../page-of.ts";\n'] : []),
    ...(used.length > 0 ? [`import type { ${used.join(", ")} } from "./schemas.ts";\n`] : []),
  ].join("");
}

function printIndex(subjects: readonly string[], lines: readonly Line[]): string {
  const names = (wanted: (line: Line) => boolean): string =>
    JSON.stringify(lines.filter(wanted).map(({ signature }) => signature));
  const byLine = (wanted: readonly Line[], value: (line: Line) => unknown): string =>
    JSON.stringify(Object.fromEntries(wanted.map((line) => [line.signature, value(line)])));
  return [
    ...subjects.map((subject) => `import type { ${linesOf(subject)} } from "./${subject}.ts";\n`),
    "\n/** What every line of the contract takes and answers. */\n",
    `export interface Contract extends ${subjects.map(linesOf).join(", ")} {}\n`,
    "\n/** Lines whose fields come in the body although they delete. */\n",
    `export const deletesWithBody: readonly string[] = ${names(
      ({ signature, requestBody }) => signature.startsWith("DELETE") && requestBody !== undefined,
    )};\n`,
    "\n/** Fields that come in the query beside a body. */\n",
    `export const queried: Readonly<Record<string, readonly string[]>> = ${byLine(lines.filter(hasQueryAndBody), queryOf)};\n`,
    "\n/** Lines whose body is a file. */\n",
    `export const filesAsBody: readonly string[] = ${names(takesFile)};\n`,
    "\n/** Lines whose body may be a list in a file instead of JSON. */\n",
    `export const listsAsBody: readonly string[] = ${names(mayBeFile)};\n`,
    "\n/** Lists that have pages. */\n",
    `export const pagedLists: readonly string[] = ${names(isPaged)};\n`,
    "\n/** Lines that take an API key or a login's token. */\n",
    `export const takesEither: readonly string[] = ${names(
      ({ security = [] }) => security.length > 1 && security.some((way) => "api_key" in way),
    )};\n`,
    "\n/** Lines that take an idempotency key. */\n",
    `export const repeatable: readonly string[] = ${names(({ parameters = [] }) =>
      parameters.some(({ name }) => name === "Idempotency-Key"),
    )};\n`,
  ].join("");
}
