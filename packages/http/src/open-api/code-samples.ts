import type { Route } from "../contract/route.ts";
import { takesFile } from "../contract/signature.ts";
import { credentialsFor } from "../server/callers/authenticate.ts";
import type { CodeSample } from "./code-sample.ts";
import type { Operation } from "./document.ts";
import { takesAnything } from "./takes-anything.ts";

type Parts = Pick<Operation, "parameters" | "requestBody" | "security">;

/** Examples of the call in shell and in TypeScript. */
export function codeSamplesOf(route: Route, operation: Parts): CodeSample[] {
  const body = operation.requestBody?.content["application/json"]?.example;
  const path = `/api/v1${route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`)}`;
  // The last kind of credentials is the one with the fewest rights.
  const headers = headersOf(route, operation.security.at(-1));
  if (takesFile(route.signature) || takesAnything(route)) return fileSamples(route, path, headers);
  const answered = (script: string): string => {
    if (route.envelope === "file")
      return script.replace(/const \{ data.*$/, "const file = await response.blob();");
    // A 204 has no content to read.
    return route.envelope === "none"
      ? script.replace(/const \{ data.*$/, "if (!response.ok) console.error(await response.json());")
      : script;
  };
  return [
    { lang: "Shell", label: "curl", source: curl(route.method, path, headers, body) },
    { lang: "TypeScript", label: "TypeScript", source: answered(fetched(route.method, path, headers, body)) },
  ];
}

/** Code samples for the upload of a file. */
function fileSamples({ path: route }: Route, path: string, given: Headers): CodeSample[] {
  const [file, type] = route.endsWith("/import")
    ? ["suppressions.csv", "text/csv"]
    : route.endsWith("/attachments")
      ? ["hello.txt", "text/plain"]
      : ["report.json", "application/json"];
  const headers = [...given, ["Content-Type", type] as const];
  const url = route.endsWith("/attachments") ? `${path}?filename=${file}` : path;
  const shell = [
    `curl "$POSTHORN_URL${url}"`,
    ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
    `--data-binary @${file}`,
  ].join(" \\\n  ");
  const call = fetched("POST", url, headers, undefined).replace(
    /\n\}\);/,
    `\n  body: await readFile("${file}"),\n});`,
  );
  const script = `import { readFile } from "node:fs/promises";\n\n${call}`;
  return [
    { lang: "Shell", label: "curl", source: shell },
    { lang: "TypeScript", label: "TypeScript", source: script },
  ];
}

type Headers = readonly (readonly [name: string, value: string])[];

/** Values that the caller must fill in are shell variables. */
function headersOf(route: Route, asked: Operation["security"][number] = {}): Headers {
  const credentials = credentialsFor(route);
  if (credentials === "none") return [];
  if (credentials === "api_key") return [["Authorization", "Bearer $API_KEY"]];
  const token = ["Authorization", "Bearer $TOKEN"] as const;
  return asked["workspace"] === undefined ? [token] : [token, ["X-Service-Workspace-Id", "$WORKSPACE"]];
}

function curl(method: string, path: string, headers: Headers, body: unknown): string {
  const verb = method === "GET" || (method === "POST" && body !== undefined) ? "" : `-X ${method} `;
  const lines = [
    `curl ${verb}"$POSTHORN_URL${path}"`,
    ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body))}`]),
  ];
  return lines.join(" \\\n  ");
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function fetched(method: string, path: string, headers: Headers, body: unknown): string {
  const sent = [...headers, ...(body === undefined ? [] : [["Content-Type", "application/json"] as const])];
  const lines = sent.map(([name, value]) => `    ${keyOf(name)}: ${templated(value)},`);
  const fields = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(lines.length === 0 ? [] : [`  headers: {\n${lines.join("\n")}\n  },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(literalOf(Object(body)))}),`]),
  ];
  const options = fields.length === 0 ? "" : `, {\n${fields.join("\n")}\n}`;
  return `const response = await fetch(${templated(`$POSTHORN_URL${path}`)}${options});\nconst { data, error } = await response.json();`;
}

const templated = (text: string): string =>
  text.includes("$")
    ? `\`${text.replaceAll(/\$(\w+)/g, (_, name: string) => `\${${camel(name)}}`)}\``
    : JSON.stringify(text);
const literalOf = (value: object): string =>
  JSON.stringify(value, null, 2).replaceAll(/^( *)"(\w+)":/gm, "$1$2:");
const keyOf = (name: string): string => (/^\w+$/.test(name) ? name : `"${name}"`);
const indented = (text: string): string => text.replaceAll("\n", "\n  ");
const camel = (name: string): string =>
  name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
