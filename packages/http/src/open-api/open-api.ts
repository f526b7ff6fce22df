import { version } from "@posthorn/core/version";
import type { Route } from "../contract/route.ts";
import { takesBody, takesFile } from "../contract/signature.ts";
import { credentialsFor } from "../server/callers/authenticate.ts";
import { streamPath } from "../server/event-stream/event-stream.ts";
import { answersOf, type Components } from "./answers.ts";
import { codeSamplesOf } from "./code-samples.ts";
import { describeField, describeFields } from "./descriptions.ts";
import type { OpenApi, Operation } from "./document.ts";
import { exampleBody } from "./example-body.ts";
import { fileContent, listContent } from "./file-content.ts";
import { createOperationNames, describeRoute } from "./operation-names.ts";
import { parametersOf, withoutParameters } from "./parameters.ts";
import { errorSchema, refusalsOf } from "./refusals.ts";
import { inputSchema, type JsonSchema } from "./schemas.ts";
import { streamOperation } from "./stream-operation.ts";
import { byTag, tagDescriptions, tagOf, tagTitle } from "./tags.ts";
import { takesAnything } from "./takes-anything.ts";
import { createWebhookItems } from "./webhooks.ts";

/** Options of the document. */
export interface OpenApiOptions {
  /** Whether the service has a single workspace, which calls need not name. */
  singleWorkspace?: boolean;
  /** Whether people may come with a login of the host's own, which has refusals of its own. */
  hostLogin?: boolean;
  /** URL at which the service is reached; its path comes before those of the document. Default: none. */
  baseUrl?: string;
}

/** Creates the OpenAPI document from the route table. It depends on the table alone. */
export function createOpenApi(routes: readonly Route[], options: OpenApiOptions = {}): OpenApi {
  const components: Components = {
    schemas: new Map([["Error", structuredClone(errorSchema)]]),
    answers: new Map(),
  };
  const paths: OpenApi["paths"] = {};
  const nameOf = createOperationNames(routes);
  for (const route of [...routes].sort((a, b) => byTag(tagOf(a.path), tagOf(b.path)))) {
    const operations = paths[`/api/v1${route.path}`] ?? {};
    operations[route.method.toLowerCase()] = operationOf(route, { components, nameOf, options });
    paths[`/api/v1${route.path}`] = operations;
  }
  paths[`/api/v1${streamPath}`] = { get: streamOperation(components, options) };
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
    // Without a host, as clients may reach the service by several names.
    servers: [{ url: new URL(options.baseUrl ?? "http://localhost").pathname.replace(/(?<=.)\/+$/, "") }],
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

Requests and responses are JSON in \`snake_case\`. Programs send with a workspace's API key: \`Authorization: Bearer sk_…\`. People log
in and send their token the same way, with the workspace's id in \`X-Service-Workspace-Id\` below \`/workspaces/current\`.

A response is \`{"success": true, "data": …}\`; a list adds \`pagination\`, with pages counted from 0 (templates and stylesheets: from 1). An error is
\`{"success": false, "error": {"code", "message", "details"}, "request_id"}\`: the code is stable, the message is for people.

A send repeated with the same \`Idempotency-Key\` within 24 hours gets the first response again. Every response has an
\`X-Request-Id\`; a 429 and a 503 say in \`Retry-After\` when to retry. What is no valid HTTP reaches no operation and gets the same error with
400, 408 (\`validation_failed\`: it did not arrive in time) or 431 (\`payload_too_large\`: its URL and header fields). Nor does another
method of a path: 405 (\`method_not_allowed\`), with those that it has in \`Allow\`. A URL may have 8192 characters.`;

/** Adds descriptions to an operation's parameters, body and responses. */
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
  "jwt+workspace or api_key": [{ api_key: [] }, { jwt: [], workspace: [] }],
} as const satisfies Record<string, Record<string, string[] | readonly never[]>[] | readonly never[]>;

/** The authentication schemes. With a single workspace, the header that names it is optional. */
function securityOf(route: Route, { singleWorkspace = false }: OpenApiOptions): Operation["security"] {
  const credentials = credentialsFor(route);
  const ways =
    singleWorkspace && credentials.startsWith("jwt+workspace")
      ? [...securityFor[credentials], { jwt: [] }]
      : securityFor[credentials];
  return ways.map((each) => ({ ...each })) as Operation["security"];
}

interface Making {
  components: Components;
  nameOf: (route: Route) => string;
  options: OpenApiOptions;
}

function operationOf(route: Route, { components, nameOf, options }: Making): Operation {
  const input = inputSchema(route.useCase.input);
  const parameters = parametersOf(route, input);
  const operation: Operation = {
    operationId: nameOf(route),
    summary: route.summary,
    ...describeRoute(route),
    tags: [tagOf(route.path)],
    security: securityOf(route, options),
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: { ...answersOf(route, components), ...refusalsOf(route, components.answers, options) },
  };
  if (takesFile(route.signature)) operation.requestBody = { required: true, content: fileContent() };
  // A relay's report has the relay's own format.
  if (takesAnything(route)) operation.requestBody = { required: true, content: rawContent(route) };
  const body =
    takesBody(route.signature) && !takesAnything(route) ? withoutParameters(route, input) : undefined;
  if (body?.properties !== undefined && Object.keys(body.properties).length > 0) {
    const example = exampleBody(route, body, components.schemas);
    operation.requestBody = {
      required: (body.required?.length ?? 0) > 0 || (body.minProperties ?? 0) > 0,
      content: { ...rawContent(route), "application/json": { schema: body, example } },
    };
  }
  operation["x-codeSamples"] = codeSamplesOf(route, operation);
  return operation;
}

/** Content of a body in a form other than JSON. */
const rawContent = ({ raw, listFile }: Route): Record<string, { schema: JsonSchema; example: unknown }> => ({
  ...(raw === undefined
    ? {}
    : { [raw.type === "*" ? "*/*" : raw.type]: { schema: { type: "string" }, example: "…" } }),
  ...(listFile === undefined ? {} : listContent()),
});

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
