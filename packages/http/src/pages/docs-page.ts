import type { Answer, OpenApi, Operation, Parameter } from "../open-api/document.ts";
import type { JsonSchema } from "../open-api/schemas.ts";
import { tagTitle } from "../open-api/tags.ts";
import { escapeHtml } from "../server/replies/plain-reply.ts";
import { icon } from "./logo.ts";

/** Renders the document as one readable page that loads nothing, in the order of its tags. */
export function createDocsPage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  const groups = document.tags.map(({ name, description }) => ({
    title: name,
    id: `tag-${name}`,
    description,
    entries: operations
      .filter(({ operation }) => operation.tags[0] === name)
      .toSorted((a, b) => methods.indexOf(a.method) - methods.indexOf(b.method)),
  }));
  const contents = groups.map(({ title, id, entries }) => {
    const links = entries.map(({ operation }) => item(operation.operationId, operation.summary));
    return `<details><summary>${escapeHtml(tagTitle(title))}</summary><ul>${item(id, "Overview")}${links.join("")}</ul></details>`;
  });
  const sections = groups.map(({ title, id, description, entries }) => {
    const made = entries.map(({ method, path, operation }) =>
      section(method, path, resolve(document, operation)),
    );
    return `<h2 id="${id}">${escapeHtml(tagTitle(title))}</h2><p>${inline(description)}</p>${made.join("")}`;
  });
  const events = Object.entries(document.webhooks).map(([type, { post }]) => {
    const content = post.requestBody.content["application/json"];
    const body = content === undefined ? "" : `${fields(content.schema)}${example(content.example)}`;
    return `<section id="${post.operationId}"><h3><code>${escapeHtml(type)}</code></h3>${body}</section>`;
  });
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `<section id="schema-${name}"><h3>${name}</h3>${fields(schema)}</section>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${icon}<title>API reference · Posthorn</title><style>${style}</style></head>
<body><nav aria-label="Contents"><p><strong>Posthorn ${escapeHtml(String(document.info.version))}</strong></p>
<p><a href="openapi.json">openapi.json</a></p>${contents.join("")}
<ul class="more">${item("webhook-events", "Webhook events")}${item("schemas", "Schemas")}</ul></nav>
<main><h1>API reference</h1>${paragraphs(String(document.info["description"]))}${sections.join("\n")}
<h2 id="webhook-events">Webhook events</h2><p>Posted to a webhook's URL, signed; any status from 200 to 299 acknowledges the delivery.</p>
${events.join("\n")}<h2 id="schemas">Schemas</h2>${schemas.join("\n")}</main>
</body></html>`;
}

const item = (id: string, words: string): string => `<li><a href="#${id}">${escapeHtml(words)}</a></li>`;

/** Order of methods: writes first, then reads. */
const methods = ["POST", "GET", "PUT", "PATCH", "DELETE"];

/** Escapes text; code between backticks and line breaks become elements. */
const inline = (words: string): string =>
  escapeHtml(words)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll("\n\n", "<br>");

const paragraphs = (words: string): string =>
  words
    .split("\n\n")
    .map((each) => `<p>${inline(each)}</p>`)
    .join("\n");

/** An operation with its responses inlined. */
type Resolved = Omit<Operation, "responses"> & { responses: Record<string, Answer> };

function resolve({ components }: OpenApi, operation: Operation): Resolved {
  const responses = Object.entries(operation.responses).map(([status, reply]): [string, Answer] => {
    if (!("$ref" in reply)) return [status, reply];
    const name = reply.$ref.slice(reply.$ref.lastIndexOf("/") + 1);
    return [status, components.responses[name] ?? { description: name }];
  });
  return { ...operation, responses: Object.fromEntries(responses) };
}

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
${paragraphs(operation.description ?? "")}
<p>${schemes.length === 0 ? "Needs no credentials." : `Needs ${schemes.join(", or ")}.`}</p>
${parameters(operation.parameters ?? [])}
${body === undefined ? "" : `<h4>Body</h4>${fields(body.schema)}${example(body.example)}`}
<h4>Responses</h4>${answers.join("")}</section>`;
}

const credentialNames: Record<string, string> = {
  jwt: "a login's token",
  workspace: "the workspace header",
  api_key: "an API key",
  stream_token: "a login's token in the query",
};

function parameters(list: readonly Parameter[]): string {
  if (list.length === 0) return "";
  const rows = list.map(({ name, in: place, required, schema, description = "" }) =>
    row({
      name,
      type: `${typeOf(schema)} in the ${place}`,
      note: required ? "required" : limits(schema),
      description,
    }),
  );
  return `<h4>Parameters</h4><dl>${rows.join("")}</dl>`;
}

function answer(status: string, { description, content }: Answer): string {
  const given = content?.["application/json"];
  const shown = given?.example === undefined ? "" : `${example(given.example)}`;
  return `<p><b>${status}</b> ${inline(description)}</p>${shown}`;
}

function fields(schema: JsonSchema): string {
  if (schema.properties === undefined) return `<p>${typeOf(schema)}</p>`;
  const rows = Object.entries(schema.properties).map(([name, field]) =>
    row({
      name,
      type: typeOf(field),
      note: schema.required?.includes(name) ? "required" : limits(field),
      description: field.description ?? "",
    }),
  );
  return `<dl>${rows.join("")}</dl>`;
}

interface Row {
  name: string;
  /** Type as HTML, like the note. */
  type: string;
  note: string;
  description: string;
}

const row = ({ name, type, note, description }: Row): string =>
  `<div><dt><code>${escapeHtml(name)}</code> <span>${type}${note === "" ? "" : `, ${note}`}</span></dt><dd>${inline(description)}</dd></div>`;

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

const style = `:root{color-scheme:light dark;--edge:#8884;--soft:#8881;--accent:#0b57d0;--quiet:#5f6368}
@media (prefers-color-scheme:dark){:root{--accent:#8ab4f8;--quiet:#9aa0a6}}
html{scroll-padding-top:1rem}body{background:canvas;color:canvastext;font:16px/1.55 system-ui,sans-serif;margin:0;display:flex;overflow-wrap:anywhere}a{color:var(--accent)}
nav{width:17rem;height:100vh;overflow:auto;position:sticky;top:0;padding:0 1rem;border-right:1px solid var(--edge);font-size:.875rem;flex:none;box-sizing:border-box}
nav ul{padding-left:1.1rem;margin:.25rem 0}nav .more{list-style:none;padding:0}nav summary{cursor:pointer;padding:.15rem 0}
main{padding:0 2rem 4rem;max-width:52rem;min-width:0;flex:1;box-sizing:border-box}h1{font-size:1.7rem}h2{margin-top:3rem}h3{margin:1.25rem 0 .5rem}h4{margin:1.25rem 0 .25rem}
code,pre{font:.9em ui-monospace,monospace}pre{overflow:auto;padding:.75rem;background:var(--soft);border-radius:.4rem;white-space:pre-wrap}
section{border-top:1px solid var(--edge);margin-top:1.5rem}.line{padding:.5rem .75rem;background:var(--soft);border-radius:.4rem}
dl{margin:.25rem 0}dl div{border-top:1px solid var(--edge);padding:.35rem 0}dt span{color:var(--quiet);font-size:.875rem}dd{margin:0}
dl div:first-child{border-top:0}details summary{cursor:pointer}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (max-width:50rem){body{display:block}nav{width:auto;height:auto;max-height:45vh;position:static;border-right:0;border-bottom:1px solid var(--edge)}main{padding:0 1rem 3rem}}
@media print{body{display:block}nav{display:none}}`;
