import { version } from "@posthorn/core";
import type { Route } from "../contract/route.ts";
import { fileFields, takesBody, takesFile } from "../contract/signature.ts";
import { snakeCase } from "../contract/wire-names.ts";
import { credentialsFor } from "../server/authenticate.ts";
import { streamPath } from "../server/event-stream.ts";
import { codeSamplesOf } from "./code-samples.ts";
import { describeField, describeFields } from "./descriptions.ts";
import type { Answer, OpenApi, Operation, Parameter } from "./document.ts";
import { exampleOf } from "./examples.ts";
import { fileContent } from "./file-content.ts";
import { createOperationNames, describeRoute } from "./operation-names.ts";
import { errorSchema, refusalsOf, type SharedAnswers } from "./refusals.ts";
import { inputSchema, type JsonSchema, replySchema } from "./schemas.ts";
import { streamOperation } from "./stream-operation.ts";
import { byTag, tagDescriptions, tagOf, tagTitle } from "./tags.ts";
import { createWebhookItems } from "./webhooks.ts";

/** What the document's operations refer to. */
interface Components {
  schemas: Map<string, JsonSchema>;
  answers: SharedAnswers;
}

/** Makes the OpenAPI document from the route table. The same table makes the same document. */
export function createOpenApi(routes: readonly Route[]): OpenApi {
  const components: Components = {
    schemas: new Map([["Error", structuredClone(errorSchema)]]),
    answers: new Map(),
  };
  const paths: OpenApi["paths"] = {};
  const nameOf = createOperationNames(routes);
  for (const route of [...routes].sort((a, b) => byTag(tagOf(a.path), tagOf(b.path)))) {
    const operations = paths[`/api/v1${route.path}`] ?? {};
    operations[route.method.toLowerCase()] = operationOf(route, components, nameOf);
    paths[`/api/v1${route.path}`] = operations;
  }
  paths[`/api/v1${streamPath}`] = { get: streamOperation(components) };
  for (const [name, schema] of components.schemas) describeFields(schema, name);
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) describe(operation);
  const tags = new Set(
    Object.values(paths).flatMap((path) => Object.values(path).flatMap((each) => each.tags)),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Posthorn",
      version,
      description: introduction,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: [...tags].sort(byTag).map((name) => ({
      name,
      "x-displayName": tagTitle(name),
      description: tagDescriptions[name] ?? name,
    })),
    paths,
    webhooks: createWebhookItems(),
    components: {
      schemas: sorted(Object.fromEntries(components.schemas)),
      responses: sorted(Object.fromEntries(components.answers)),
      securitySchemes,
    },
  };
}

const introduction = `The e-mail sending service that lives in your process and your database.

JSON in and out, in \`snake_case\`. Programs send with a workspace's API key: \`Authorization: Bearer sk_…\`. People log in and send
their token the same way, with the workspace's id in \`X-Service-Workspace-Id\` below \`/workspaces/current\`.

An answer is \`{"success": true, "data": …}\`; a list adds \`pagination\`, with pages counted from 0. A refusal is
\`{"success": false, "error": {"code", "message", "details"}, "request_id"}\`: the code never changes its meaning, the message is for
people. A send that is repeated with the same \`Idempotency-Key\` gets its first answer again, for 24 hours. Every answer carries
\`X-Request-Id\`; a 429 and a 503 say in \`Retry-After\` when to come back.`;

/** Gives words to what an operation takes and answers. */
function describe({ operationId, parameters = [], requestBody, responses }: Operation): void {
  for (const parameter of parameters) {
    const { description, schema, name } = parameter;
    const words = description ?? schema.description ?? describeField(name, operationId);
    if (words !== undefined) parameter.description = words;
  }
  const bodies = [requestBody, ...Object.values(responses)].flatMap((each) =>
    each === undefined || "$ref" in each ? [] : Object.values(each.content ?? {}),
  );
  for (const { schema } of bodies) describeFields(schema, operationId);
}

const securitySchemes = {
  jwt: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "The token of a login." },
  workspace: {
    type: "apiKey",
    in: "header",
    name: "X-Service-Workspace-Id",
    description: "The id of the workspace that the call acts on.",
  },
  api_key: { type: "http", scheme: "bearer", description: "A workspace's API key." },
  stream_token: { type: "apiKey", in: "query", name: "token", description: "The token of a login." },
};

const securityFor = {
  none: [],
  jwt: [{ jwt: [] }],
  "jwt+workspace": [{ jwt: [], workspace: [] }],
  api_key: [{ api_key: [] }],
} as const satisfies Record<string, Record<string, string[] | readonly never[]>[] | readonly never[]>;

function operationOf(route: Route, components: Components, nameOf: (route: Route) => string): Operation {
  const input = inputSchema(route.useCase.input);
  const parameters = parametersOf(route, input);
  const operation: Operation = {
    operationId: nameOf(route),
    summary: route.summary,
    ...describeRoute(route),
    tags: [tagOf(route.path)],
    security: securityFor[credentialsFor(route.access)].map((each) => ({ ...each })) as Operation["security"],
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: {
      ...Object.fromEntries(statusesOf(route).map((status) => [status, answerOf(route, status, components)])),
      ...refusalsOf(route, components.answers),
    },
  };
  if (takesFile(route.signature)) operation.requestBody = { required: true, content: fileContent() };
  const body = takesBody(route.signature) ? withoutParameters(route, input) : undefined;
  if (body?.properties !== undefined && Object.keys(body.properties).length > 0) {
    const example = exampleOf(body, components.schemas);
    operation.requestBody = {
      required: (body.required?.length ?? 0) > 0,
      content: { ...rawContent(route), "application/json": { schema: body, example } },
    };
  }
  operation["x-codeSamples"] = codeSamplesOf(route, operation);
  return operation;
}

/** The body as it may come besides JSON. */
const rawContent = ({ raw }: Route): Record<string, { schema: JsonSchema; example: unknown }> =>
  raw === undefined ? {} : { [raw.type]: { schema: { type: "string" }, example: "…" } };

/** The input's fields that do not come in path or header. */
function withoutParameters(route: Route, input: JsonSchema): JsonSchema {
  const taken = new Set(Object.values(route.params).map(snakeCase));
  if (route.idempotent) taken.add("idempotency_key");
  if (takesFile(route.signature)) for (const name of fileFields) taken.add(name);
  const properties = Object.entries(input.properties ?? {}).filter(([name]) => !taken.has(name));
  const required = (input.required ?? []).filter((name) => !taken.has(name));
  const { required: _, ...rest } = input;
  return {
    ...rest,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  };
}

function parametersOf(route: Route, input: JsonSchema): Parameter[] {
  const inPath = Object.entries(route.params).map(
    ([name, key]): Parameter => ({
      name,
      in: "path",
      required: true,
      schema: input.properties?.[snakeCase(key)] ?? {},
    }),
  );
  const open = withoutParameters(route, input);
  const inQuery = takesBody(route.signature)
    ? []
    : Object.entries(open.properties ?? {}).map(
        ([name, schema]): Parameter => ({
          name,
          in: "query",
          required: open.required?.includes(name) === true && schema.default === undefined,
          schema,
        }),
      );
  const inHeader: Parameter[] = route.idempotent
    ? [
        {
          name: "Idempotency-Key",
          in: "header",
          required: false,
          description: "The same key and body get the first answer again, for 24 hours.",
          schema: withoutWords(input.properties?.idempotency_key ?? {}),
        },
      ]
    : [];
  return [...inPath, ...inQuery, ...inHeader];
}

const withoutWords = ({ description: _, ...schema }: JsonSchema): JsonSchema => schema;

const statusesOf = ({ status, otherwise }: Route): number[] =>
  otherwise === undefined ? [status] : [status, otherwise.status];

function answerOf(route: Route, status: number, components: Components): Answer {
  const description =
    status === route.otherwise?.status ? "It was there already" : (statusWords[status] ?? "OK");
  if (route.envelope === "none") return { description };
  if (route.envelope === "file") return { description, content: fileContent() };
  const inner = replySchema(route.reply.schema, components.schemas);
  const data = route.envelope === "page" ? { type: "array", items: inner } : inner;
  const properties: Record<string, JsonSchema> = {
    ...(route.envelope === "data" ? {} : { success: { const: true } }),
    data,
    ...(route.envelope === "page" ? { pagination: makePagination() } : {}),
  };
  const schema: JsonSchema = { type: "object", properties, required: Object.keys(properties) };
  const example = exampleOf(schema, components.schemas);
  return { description, content: { "application/json": { schema, example } } };
}

const statusWords: Record<number, string> = {
  201: "Created",
  202: "Accepted: it is kept, and done after the answer",
  204: "Done; there is no body",
};

function makePagination(): JsonSchema {
  const count = (): JsonSchema => ({ type: "integer", minimum: 0 });
  return {
    type: "object",
    properties: {
      page: count(),
      size: { type: "integer", minimum: 1, maximum: 100 },
      total: count(),
      total_pages: count(),
    },
    required: ["page", "size", "total", "total_pages"],
  };
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
