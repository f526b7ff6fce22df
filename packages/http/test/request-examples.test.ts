import { createOpenApi, routes } from "@posthorn/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleBody } from "./example-body.ts";
import { startServer, type TestServer } from "./start-server.ts";

/** Routes whose examples name nothing that must exist before, but the template `welcome`. */
const independent = [
  "POST /emails/send",
  "POST /emails/send-template",
  "POST /emails/batch",
  "POST /workspaces",
  "POST /workspaces/current/campaigns",
  "POST /workspaces/current/stylesheets",
  "POST /workspaces/current/domains",
  "POST /workspaces/current/smtp-servers",
  "POST /workspaces/current/webhooks",
  "POST /workspaces/current/suppressions",
  "POST /workspaces/current/suppressions/check",
  "POST /workspaces/current/invitations",
  "POST /workspaces/current/api-keys",
  "PUT /workspaces/current/settings",
  "PUT /users/me",
  "POST /admin/plans",
  "POST /admin/users",
];

const uuid = "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f";

let server: TestServer;
let key: string;
let asOwner: { token: string; workspace: number };
beforeAll(async () => {
  server = await startServer();
  const { world, logIn } = server;
  const { token, userId } = await logIn({ admin: true });
  const { id } = await world.posthorn.workspaces.createFor({ name: "Shop", userId });
  asOwner = { token, workspace: id };
  const shop = world.posthorn.workspace(id);
  key = (await shop.apiKeys.create({ name: "reference" })).key;
  await shop.templates.create({ name: "welcome", subject: "Hello {{name}}", text: "Hello {{name}}" });
});
afterAll(() => server.close());

test.each(independent)("the example of %s is accepted unchanged, in any year", async (signature) => {
  const route = routes.find((each) => each.signature === signature);
  const body = route && exampleBody(route);
  expect(Object.keys(body ?? {}).length).toBeGreaterThan(0);
  const credentials = route?.path.startsWith("/emails") ? { token: key } : asOwner;
  const { status, body: answer } = await server.ask(signature, { ...credentials, body });
  expect([answer.error, status]).toEqual([undefined, route?.status]);
  expect(JSON.stringify(body)).not.toMatch(/\b\d{4}-\d{2}-\d{2}/);
});

const document = createOpenApi(routes);
const withBodies = routes.flatMap((route) => {
  const { requestBody, parameters = [] } =
    document.paths[`/api/v1${route.path}`]?.[route.method.toLowerCase()] ?? {};
  const isJson = requestBody?.content["application/json"] !== undefined && route.raw === undefined;
  const ids = new Map(
    parameters.map(({ name, schema }) => [name, schema["type"] === "integer" ? "9" : uuid]),
  );
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => ids.get(name) ?? "");
  return isJson ? [{ route, signature: `${route.method} ${path}`, isRequired: requestBody.required }] : [];
});

test.each(withBodies.map((each) => [each.route.signature, each] as const))(
  "a body of %s is required, or may be left out, as the document says",
  async (_, { route, signature, isRequired }) => {
    const { body } = await server.ask(signature, route.access === "api_key" ? { token: key } : asOwner);
    const isMissing = body.error?.code === "validation_failed" && !JSON.stringify(body.error).includes("Id");
    expect([isMissing, body.error?.message]).toEqual([isRequired, body.error?.message]);
  },
);
