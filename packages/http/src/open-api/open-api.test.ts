import { webhookEventTypes } from "@posthorn/core/internal";
import { describe, expect, test } from "vitest";
import { routes } from "../contract/routes/index.ts";
import { takesBody } from "../contract/signature.ts";
import { createDocsPage } from "../pages/docs-page.ts";
import { bindRoute } from "../server/routing/bind-route.ts";
import type { Answer } from "./document.ts";
import { emailEventData } from "./email-event-data.ts";
import { createOpenApi } from "./open-api.ts";
import type { JsonSchema } from "./schemas.ts";

const document = createOpenApi(routes);

function operationOf(route: (typeof routes)[number]) {
  return document.paths[`/api/v1${route.path}`]?.[route.method.toLowerCase()];
}

test("the checked-in document matches the route table", async () => {
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot("../../openapi.json");
});

test("the same table generates the same document", () => {
  expect(JSON.stringify(createOpenApi(routes))).toBe(JSON.stringify(document));
});

test("a route whose path names nothing has a 404 only if it looks up something all the same", () => {
  const found = routes.filter(
    (route) => Object.keys(route.params).length === 0 && operationOf(route)?.responses["404"] !== undefined,
  );
  expect(found.map(({ signature }) => signature).sort()).toEqual([
    "GET /workspaces/current/plan",
    "POST /attachments",
    "POST /emails/batch",
    "POST /emails/send",
    "POST /emails/send-template",
    "POST /invitations/accept",
    "POST /invitations/decline",
    "POST /workspaces/current/attachments",
    "POST /workspaces/current/campaigns",
    "POST /workspaces/current/suppressions/import",
    "POST /workspaces/current/transfer-ownership",
  ]);
});

test("operation ids are unique", () => {
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((each) => each.operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

describe("examples are valid", () => {
  const withBody = routes.filter(
    (route) => operationOf(route)?.requestBody?.content["application/json"] !== undefined,
  );

  test.each(withBody.map((route) => [route.signature, route] as const))("body of %s", (_, route) => {
    const body = operationOf(route)?.requestBody?.content["application/json"]?.example;
    const params = Object.fromEntries(
      Object.keys(route.params).map((name) => [name, "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f"]),
    );
    const input = bindRoute(route).read({ params, query: "", body, idempotencyKey: undefined });
    const parsed = route.useCase.input.safeParse(input);
    const faults = parsed.error?.issues.filter(
      ({ path }) => !Object.values<string>(route.params).includes(String(path[0])),
    );
    expect(faults ?? []).toEqual([]);
  });

  test("bodies are short, as readers copy them", () => {
    const bodyOf = (signature: string): unknown =>
      routes.flatMap((route) =>
        route.signature === signature
          ? [operationOf(route)?.requestBody?.content["application/json"]?.example]
          : [],
      )[0];
    expect(bodyOf("POST /workspaces/current/smtp-servers")).toEqual({
      name: "relay",
      host: "smtp.example.com",
    });
    expect(bodyOf("POST /workspaces/current/domains")).toEqual({ name: "shop.example" });
    expect(bodyOf("PUT /workspaces/current/settings")).toEqual({
      timezone: "Europe/Paris",
      default_sender_name: "Example News",
    });
  });

  test.each(routes.map((route) => [route.signature, route] as const))("answer of %s", (_, route) => {
    const answer = operationOf(route)?.responses[String(route.status)] as Answer | undefined;
    const example = answer?.content?.["application/json"]?.example as { data: unknown } | undefined;
    if (route.envelope === "none") {
      expect(answer?.content).toBeUndefined();
      return;
    }
    if (route.envelope === "file") {
      const { secondFormat: formats } = route;
      expect(Object.keys(answer?.content ?? {})).toEqual(
        formats === undefined ? ["*/*"] : [formats.insteadOf, formats.type],
      );
      return;
    }
    const values = route.envelope === "page" ? (example?.data as unknown[]) : [example?.data];
    for (const value of values) expect(route.reply.schema.safeParse(value).error?.issues ?? []).toEqual([]);
  });
});

/** Yields every schema with fields in a value, at any depth. */
function* objectSchemas(value: unknown): Generator<JsonSchema> {
  if (typeof value !== "object" || value === null) return;
  const { properties } = value as JsonSchema;
  if (typeof properties === "object" && "type" in value) yield value as JsonSchema;
  for (const [key, part] of Object.entries(value)) {
    if (key !== "example" && key !== "examples") yield* objectSchemas(part);
  }
}

test("every field and every parameter has a description", () => {
  const fields = [...objectSchemas(document)].flatMap(({ properties = {} }) => Object.entries(properties));
  expect(fields.length).toBeGreaterThan(500);
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const parameters = operations.flatMap(({ parameters: own = [] }) => own);
  const silent = [
    ...fields.filter(([, { description = "" }]) => description.trim() === "").map(([name]) => name),
    ...parameters.filter(({ description = "" }) => description === "").map(({ name }) => name),
  ];
  expect(silent).toEqual([]);
});

/** Yields every part of a value, at any depth, but for examples. */
function* partsOf(value: unknown): Generator<object> {
  if (typeof value !== "object" || value === null) return;
  yield value;
  for (const [key, part] of Object.entries(value))
    if (key !== "example" && key !== "examples") yield* partsOf(part);
}

test("a field of listed values has a type", () => {
  const constants = [...partsOf(document)].filter((part) => "const" in part || "enum" in part);
  expect(constants.length).toBeGreaterThan(20);
  expect(constants.filter((part) => !("type" in part))).toEqual([]);
  // Generators of clients write them between quotes.
  expect(constants.flatMap(({ enum: values = [] }: JsonSchema) => values).join()).not.toMatch(/["\\]/);
});

test("lists share the schema of their pagination, so that clients made from the document have one type of it", () => {
  const places = [...objectSchemas(document.paths)].flatMap(({ properties: { pagination } = {} }) =>
    pagination === undefined ? [] : [pagination.$ref],
  );
  expect(places.length).toBeGreaterThan(20);
  expect(new Set(places)).toEqual(new Set(["#/components/schemas/Pagination"]));
});

test("a description is not shared by fields of different types", () => {
  const typesOf = new Map<string, Set<string>>();
  for (const { properties = {} } of objectSchemas(document.components.schemas))
    for (const [name, { description = "", type }] of Object.entries(properties)) {
      // A nullable type is a union, which names no single type. Some ids are numbers, others UUIDs.
      if (typeof type !== "string" || name === "id") continue;
      const key = `${name}: ${description}`;
      typesOf.set(key, (typesOf.get(key) ?? new Set()).add(type.replace("integer", "number")));
    }
  expect([...typesOf].filter(([, types]) => types.size > 1).map(([key]) => key)).toEqual([]);
});

test("patterns mean the same with and without the flag u", () => {
  const patterns = new Set(
    [...JSON.stringify(document).matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text),
  );
  expect(patterns.size).toBeGreaterThan(0);
  for (const text of patterns) {
    const pattern = JSON.parse(`"${text}"`) as string;
    expect(() => new RegExp(pattern, "u")).not.toThrow();
    expect(pattern).not.toMatch(/\\p\{/);
    // Of RE2 and PCRE, it is no escape; generators of clients write the character, and U+2028 ends a regular expression.
    expect(pattern).not.toMatch(/\\u|[\u2028\u2029]/);
  }
});

test("an operation's parameters differ in their letters, by which clients made from the document name them", () => {
  for (const { operationId, parameters = [] } of Object.values(document.paths).flatMap((path) =>
    Object.values(path),
  )) {
    const names = parameters.map(({ name }: { name: string }) =>
      name.toLowerCase().replace(/[^a-z0-9]/g, ""),
    );
    expect(new Set(names).size, operationId).toBe(names.length);
  }
});

test("shared responses have readable names", () => {
  for (const name of Object.keys(document.components.responses)) expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
});

test("each type of event that webhooks can subscribe to is described", () => {
  expect(Object.keys(document.webhooks)).toEqual([...webhookEventTypes].toSorted());
  expect(document.webhooks["email.sent"]?.post.requestBody.content["application/json"]?.example).toEqual({
    event: "email.sent",
    email_id: "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f",
    timestamp: "2030-01-31T08:00:00.000Z",
  });
});

test("each event about an e-mail has data, but for the two whose fields the contract lists", () => {
  const bare = webhookEventTypes.filter(
    (type) => type.startsWith("email.") && emailEventData(type) === undefined,
  );
  expect(bare.toSorted()).toEqual(["email.failed", "email.sent"]);
});

test.each([
  [undefined, "/"],
  ["https://mail.shop.example", "/"],
  ["https://shop.example/mail", "/mail"],
  ["https://shop.example/a/mail/", "/a/mail"],
])("behind %s a client begins its paths with %s", (baseUrl, url) => {
  expect(createOpenApi(routes.slice(0, 1), baseUrl === undefined ? {} : { baseUrl }).servers).toEqual([
    { url },
  ]);
});

test("every reference resolves", () => {
  const refs = [...JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)];
  expect(refs.length).toBeGreaterThan(100);
  for (const [, kind = "", name = ""] of refs) {
    expect(Object.keys(document.components[kind as "schemas"])).toContain(name);
  }
});

test("names in the document are in snake_case", () => {
  for (const route of routes.filter(({ signature }) => takesBody(signature))) {
    const schema = operationOf(route)?.requestBody?.content["application/json"]?.schema;
    for (const name of Object.keys(schema?.properties ?? {})) expect(name).toMatch(/^[a-z0-9_]+$/);
  }
});

test("descriptions name nothing in camelCase, as the library does", () => {
  const words = JSON.stringify(document).matchAll(/`(\w+)`/g);
  expect([...words].map(([, name = ""]) => name).filter((name) => /[a-z][A-Z]/.test(name))).toEqual([]);
});

test("the reference shows every route, sending first, and loads nothing else", () => {
  const page = createDocsPage(document);
  expect(page.indexOf('id="emails.send"')).toBeLessThan(page.indexOf('id="users.list"'));
  expect(page).not.toContain("<b>202</b> Done");
  expect(page).toContain("<p>Creates a plan. It is active and without limits by default.</p>");
  expect(page).toContain("Fails with <code>not_retryable</code> if it did not fail");
  for (const { path } of routes) expect(page).toContain(`/api/v1${path}`);
  expect(page).not.toMatch(/<(?:script|img)\b|<link (?!rel="icon" href="data:)|url\(|@import/);
});

test("a domain's prefixes may have capitals, which the server lowers", () => {
  const { put } = document.paths["/api/v1/workspaces/current/domains/{id}"] ?? {};
  const { properties } = put?.requestBody?.content["application/json"]?.schema ?? {};
  expect("Bounces.Mail").toMatch(new RegExp(String(properties?.["return_path"]?.["pattern"])));
});
