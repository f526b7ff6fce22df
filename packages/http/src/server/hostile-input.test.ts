import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anyCharacter } from "../../../core/test/any-character.ts";
import { rawRequest } from "../../test/raw-request.ts";
import { type Login, startServer, type TestServer } from "../../test/start-server.ts";
import type { Route } from "../contract/route.ts";
import { routes } from "../contract/routes/index.ts";
import { shapeOf } from "../contract/wire-names.ts";
import { createDispatcher, type Dispatcher } from "./dispatch.ts";

let server: TestServer;
let dispatcher: Dispatcher;
let admin: Login;
let key: string;
let workspace: string;

beforeAll(async () => {
  server = await startServer();
  admin = await server.logIn({ admin: true });
  const made = await server.ask("POST /workspaces", { token: admin.token, body: { name: "Acme" } });
  workspace = String(made.body.data?.id);
  const answer = await server.ask("POST /workspaces/current/api-keys", {
    token: admin.token,
    workspace,
    body: { name: "k" },
  });
  key = String(answer.body.data?.key);
  dispatcher = createDispatcher(server.world.posthorn);
});
afterAll(() => server.close());

// Ending the own session or workspace would make all later requests trivial.
const tried: readonly Route[] = routes.filter(
  ({ signature }) => !/logout|DELETE \/workspaces\/current$|\/password$|2fa|transfer/.test(signature),
);

const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    "a@example.com",
    "",
    "x".repeat(5000),
    "{{#a}}",
    "\u202e",
    "https://[::1]/",
    -1,
    0,
    2 ** 53,
    null,
    // A refused value must not reach a check that compares fields.
    ["x".repeat(1000)],
    [{ to: "x".repeat(1000) }],
  ),
);
const inPath = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(..."azAZ09-._~!$&'()*+,;=:@") },
  { weight: 1, arbitrary: anyCharacter.map(encodeURIComponent) },
);
const segment = fc.string({ unit: inPath });
const id = fc.oneof(
  fc.constantFrom("1", "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f", "%00", "%ff", "..", "a b"),
  segment,
);

/** Bodies with the right field names, and little else. */
const request = fc.constantFrom(...tried).chain((route) => {
  const shape = shapeOf(route.useCase.input);
  const names = shape.kind === "object" ? [...shape.fields.keys()] : [];
  return fc.record({
    signature: fc.constant(route.signature),
    id,
    body: fc.dictionary(fc.constantFrom(...names, "id", "constructor"), value, { maxKeys: 8 }),
  });
});

test("no field of any route yields a 5xx", async () => {
  const property = fc.asyncProperty(request, async ({ signature, id, body }) => {
    const route = tried.find((each) => each.signature === signature);
    if (route === undefined) return;
    const query = Object.entries(body).map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`,
    );
    const reads = route.method === "GET" || route.method === "DELETE";
    const path = `/api/v1${route.path.replace(/\{\w+\}/g, id)}`;
    const token = route.access === "api_key" ? key : admin.token;
    const reply = await dispatcher.dispatch({
      method: route.method,
      target: reads && query.length > 0 ? `${path}?${query.join("&")}` : path,
      headers: {
        authorization: `Bearer ${token}`,
        "x-service-workspace-id": workspace,
        "content-type": "application/json",
      },
      repeatedAuthorization: false,
      ip: "127.0.0.1",
      readBody: async () => Buffer.from(JSON.stringify(body)),
      openBody: async function* () {},
    });
    expect(reply.status < 500 ? "fine" : reply.body).toBe("fine");
  });
  await fc.assert(property, { numRuns: 600 });
});

test("no target and no header stops the server or yields a 5xx", async () => {
  const line = fc.record({
    target: fc.oneof(
      fc.array(segment).map((all) => all.map((one) => `/${one}`).join("")),
      fc.string(),
      fc.constantFrom("//", "/%", "/?%", "/api/v1/%c0%ae", "*", "/\\"),
    ),
    name: fc.constantFrom(
      "Authorization",
      "X-Request-Id",
      "X-Service-Workspace-Id",
      "Content-Type",
      "X-Forwarded-For",
    ),
    value: fc.string(),
  });
  const property = fc.asyncProperty(line, async ({ target, name, value }) => {
    const bytes = `GET ${target} HTTP/1.1\r\nHost: a\r\n${name}: ${value}\r\nConnection: close\r\n\r\n`;
    expect(await rawRequest(server.port, bytes)).not.toMatch(/^HTTP\/1\.1 5/);
  });
  await fc.assert(property, { numRuns: 200 });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});
