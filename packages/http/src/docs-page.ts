import type { Answer, OpenApi, Operation, Parameter } from "./open-api.ts";
import type { JsonSchema } from "./open-api-schemas.ts";
import { escapeHtml } from "./plain-reply.ts";

/** Makes a readable reference of the document: one page that loads nothing. */
export function createDocsPage(document: OpenApi): string {
  const byTag = new Map<string, string[]>();
  const links = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags[0] ?? "";
      byTag.set(tag, [
        ...(byTag.get(tag) ?? []),
        section(method.toUpperCase(), path, resolve(document, operation)),
      ]);
      const link = `<li><a href="#${operation.operationId}">${escapeHtml(operation.summary)}</a></li>`;
      links.set(tag, [...(links.get(tag) ?? []), link]);
    }
  }
  const tags = [...byTag.keys()].sort();
  const contents = tags.map((tag) => `<li>${escapeHtml(tag)}<ul>${links.get(tag)?.join("") ?? ""}</ul></li>`);
  const sections = tags.map((tag) => `<h2>${escapeHtml(tag)}</h2>${byTag.get(tag)?.join("") ?? ""}`);
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `<section id="schema-${name}"><h3>${name}</h3>${fields(schema)}</section>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Posthorn: reference of the interface</title><style>${style}</style></head>
<body><nav aria-label="Contents"><p><strong>Posthorn ${escapeHtml(String(document.info.version))}</strong></p>
<p><a href="openapi.json">openapi.json</a></p><ul>${contents.join("")}</ul></nav>
<main><h1>Reference of the interface</h1>${intro}${sections.join("\n")}<h2>Schemas</h2>${schemas.join("\n")}</main>
</body></html>`;
}

/** An operation whose answers stand in it, instead of being referred to. */
type Resolved = Omit<Operation, "responses"> & { responses: Record<string, Answer> };

function resolve({ components }: OpenApi, operation: Operation): Resolved {
  const responses = Object.entries(operation.responses).map(([status, reply]): [string, Answer] => {
    if (!("$ref" in reply)) return [status, reply];
    const name = reply.$ref.slice(reply.$ref.lastIndexOf("/") + 1);
    return [status, components.responses[name] ?? { description: name }];
  });
  return { ...operation, responses: Object.fromEntries(responses) };
}

const intro = `<p>JSON in and out, in <code>snake_case</code>. Send <code>Authorization: Bearer …</code> with the token
of a login, or with an API key where it says so; paths below <code>/workspaces/current</code> also take the header
<code>X-Service-Workspace-Id</code>. Every answer carries <code>X-Request-Id</code>; an error says
<code>{"success": false, "error": {"code", "message", "details"}, "request_id"}</code>.</p>`;

function section(method: string, path: string, operation: Resolved): string {
  const schemes = operation.security.map((each) =>
    Object.keys(each)
      .map((name) => credentialNames[name])
      .join(" and "),
  );
  const body = operation.requestBody?.content["application/json"];
  const answers = Object.entries(operation.responses).map(([status, reply]) => answer(status, reply));
  return `<section id="${operation.operationId}"><h3>${escapeHtml(operation.summary)}</h3>
<p class="line"><b class="${method}">${method}</b> <code>${escapeHtml(path)}</code></p>
<p>${schemes.length === 0 ? "Needs no credentials." : `Needs ${schemes.join(", or ")}.`}</p>
${parameters(operation.parameters ?? [])}
${body === undefined ? "" : `<h4>Body</h4>${fields(body.schema)}${example(body.example)}`}
<h4>Answers</h4>${answers.join("")}</section>`;
}

const credentialNames: Record<string, string> = {
  jwt: "a login's token",
  workspace: "the workspace header",
  api_key: "an API key",
  stream_token: "a login's token in the query",
};

function parameters(list: readonly Parameter[]): string {
  if (list.length === 0) return "";
  const rows = list.map(
    ({ name, in: place, required, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}</td><td>${typeOf(schema)}</td><td>${required ? "required" : limits(schema)}</td></tr>`,
  );
  return `<h4>Parameters</h4><table>${rows.join("")}</table>`;
}

function answer(status: string, { description, content }: Answer): string {
  const given = content?.["application/json"];
  const shown = given?.example === undefined ? "" : `${example(given.example)}`;
  return `<p><b>${status}</b> ${escapeHtml(description)}</p>${shown}`;
}

function fields(schema: JsonSchema): string {
  if (schema.properties === undefined) return `<p>${typeOf(schema)}</p>`;
  const rows = Object.entries(schema.properties).map(
    ([name, field]) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${typeOf(field)}</td><td>${schema.required?.includes(name) ? "required" : limits(field)}</td></tr>`,
  );
  return `<table>${rows.join("")}</table>`;
}

function typeOf(schema: JsonSchema): string {
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    return `<a href="#schema-${name}">${name}</a>`;
  }
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts !== undefined) return parts.map(typeOf).join(" or ");
  if (Array.isArray(schema.enum))
    return schema.enum.map((each) => `<code>${escapeHtml(JSON.stringify(each))}</code>`).join(", ");
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`;
  const format = schema.format === undefined ? "" : ` (${escapeHtml(String(schema.format))})`;
  return `${escapeHtml(String(schema.type ?? "any"))}${format}`;
}

function limits({ default: value, maxLength }: JsonSchema): string {
  const said = [
    ...(value === undefined ? [] : [`default <code>${escapeHtml(JSON.stringify(value))}</code>`]),
    ...(typeof maxLength === "number" ? [`at most ${maxLength} characters`] : []),
  ];
  return said.join(", ");
}

const example = (value: unknown): string =>
  `<details><summary>Example</summary><pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre></details>`;

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0;display:flex}
nav{width:19rem;height:100vh;overflow:auto;position:sticky;top:0;padding:0 1rem;border-right:1px solid #8884;font-size:.85rem;flex:none}
nav ul{padding-left:1rem}main{padding:0 2rem;max-width:56rem;min-width:0}code,pre{font:.9em ui-monospace,monospace}
pre{overflow:auto;padding:.75rem;background:#8881}table{border-collapse:collapse;width:100%}td{border-top:1px solid #8883;padding:.25rem .5rem .25rem 0;vertical-align:top}
section{border-top:1px solid #8884;margin-top:1.5rem}.line{padding:.5rem;background:#8881}
@media (max-width:50rem){body{display:block}nav{width:auto;height:auto;position:static}}`;
