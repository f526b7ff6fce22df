import { createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type HostLogin, ServiceError } from "@posthorn/core";
import { expect, onTestFinished, test } from "vitest";
import { toWebHandler } from "../src/index.ts";
import type { OpenApi } from "../src/open-api/document.ts";
import { startServer, type TestServer } from "./start-server.ts";

type Login = HostLogin | null | undefined;
type Authenticate = (request: IncomingMessage) => Login | Promise<Login>;

/** A host with logins in a cookie: `user=crm-1`. */
const byCookie: Authenticate = ({ headers }) => {
  const externalId = /\buser=([\w-]+)/.exec(headers.cookie ?? "")?.[1];
  return externalId === undefined ? undefined : { externalId };
};

async function start(authenticate: Authenticate = byCookie, more: object = {}): Promise<TestServer> {
  const errors: unknown[] = [];
  const quiet = () => {};
  const logger = { info: quiet, warn: quiet, debug: quiet, error: (fields: object) => errors.push(fields) };
  const server = await startServer({ authenticate, ...more }, undefined, { logger });
  onTestFinished(() => server.close());
  return Object.assign(server, { errors });
}

const cookie = { cookie: "user=crm-1" };
const grace = { externalId: "crm-1", name: "Grace", email: "grace@example.com" };

test("a login of the host is accepted, and the audit log names the user", async () => {
  const { ask, world } = await start();
  const { id: userId } = await world.posthorn.users.ensure(grace);
  const { id: workspace } = await world.posthorn.workspaces.ensure({ externalId: "t", name: "T", userId });
  expect((await ask("GET /users/me", { headers: cookie })).body.data).toMatchObject({ id: userId });
  const body = { name: "news", subject: "s", text: "t" };
  const made = await ask("POST /workspaces/current/templates", { headers: cookie, workspace, body });
  expect(made.status).toBe(201);
  const { items } = await world.storage.events.list(
    { workspaceId: workspace, type: "template.created" },
    { offset: 0, limit: 5 },
  );
  expect(items).toMatchObject([{ actorId: userId, actorName: "Grace", clientIp: "127.0.0.1" }]);
});

test("refuses users without an account, or with the service's own login only", async () => {
  const { ask, world } = await start();
  await world.posthorn.users.ensure(grace);
  for (const headers of [{ cookie: "user=crm-2" }, {}]) {
    const { status, body } = await ask("GET /users/me", { headers });
    expect([status, body.error?.code]).toEqual([401, "unauthenticated"]);
  }
});

test.each([undefined, null])("takes %s for nobody", async (nobody) => {
  const { ask } = await start(async () => nobody);
  expect((await ask("GET /users/me")).status).toBe(401);
});

test("creates the account at the first request if there is a profile, and keeps it up to date", async () => {
  const profile = { name: "Grace", email: "grace@example.com" };
  const { ask, world } = await start(() => ({ externalId: "crm-1", profile }));
  const many = await Promise.all(Array.from({ length: 10 }, () => ask("GET /users/me")));
  expect(new Set(many.map(({ body }) => body.data?.["id"])).size).toBe(1);
  profile.name = "Grace H.";
  expect((await ask("GET /users/me")).body.data).toMatchObject({ name: "Grace H." });
  expect((await world.posthorn.users.list({})).total).toBe(1);
});

test("accepts the host's workspace and role without a membership, and for no other workspace", async () => {
  const { ask, world } = await start(() => ({
    externalId: "crm-1",
    workspace: { externalId: "t" },
    role: "editor",
  }));
  await world.posthorn.users.ensure(grace);
  const { id } = await world.posthorn.workspaces.ensure({ externalId: "t", name: "T" });
  const other = await world.addWorkspace();
  const body = { name: "news", subject: "s", text: "t" };
  expect((await ask("POST /workspaces/current/templates", { body })).status).toBe(201);
  const named = await ask("GET /workspaces/current", { workspace: id });
  expect(named.body.data).toMatchObject({ id, role: "editor" });
  const settings = await ask("PUT /workspaces/current/settings", { body: { timezone: "UTC" } });
  expect(settings.body.error?.code).toBe("forbidden");
  const foreign = await ask("GET /workspaces/current", { workspace: other.id });
  expect(foreign.body.error?.code).toBe("not_a_member");
});

test("checks the service's own tokens first, valid or not, and asks the host for all others", async () => {
  const asked: (string | undefined)[] = [];
  const { ask, world, logIn } = await start((request) => {
    asked.push(request.headers.authorization);
    return { externalId: "crm-1" };
  });
  const { id } = await world.posthorn.users.ensure(grace);
  const { token, userId } = await logIn();
  const me = async (given: string) => (await ask("GET /users/me", { token: given })).body;
  expect((await me(token)).data).toMatchObject({ id: userId });
  await world.posthorn.users.revokeSessions({ userId });
  expect((await me(token)).error?.code).toBe("unauthenticated");
  expect((await me(`sk_${"a".repeat(40)}`)).error?.code).toBe("unauthenticated");
  expect(asked).toEqual([]);
  const [header, payload] = token.split(".");
  const forged = createHmac("sha256", "another key").update(`${header}.${payload}`).digest("base64url");
  expect((await me(`${header}.${payload}.${forged}`)).data).toMatchObject({ id });
  expect(asked).toHaveLength(1);
});

test("can't send: sending requires an API key", async () => {
  const { ask, world } = await start();
  await world.posthorn.users.ensure(grace);
  const body = { subject: "Hi", text: "x", to: ["a@example.com"] };
  expect((await ask("POST /emails/send", { headers: cookie, body })).status).toBe(401);
});

test.each([
  ["throws", () => Promise.reject(new Error("the session store is away")), 500, "internal_error"],
  ["throws at once", () => JSON.parse("{"), 500, "internal_error"],
  ["refuses", () => Promise.reject(new ServiceError("forbidden")), 403, "forbidden"],
  ["answers no login", () => ({ userId: 7 }) as never, 500, "internal_error"],
  [
    "gives a role in no workspace",
    () => ({ externalId: "crm-1", role: "owner" }) as const,
    500,
    "internal_error",
  ],
  ["names no workspace of ours", () => ({ externalId: "crm-1", workspace: 4711 }), 404, "not_found"],
  [
    "has a profile that is none",
    () => ({ externalId: "x", profile: { name: "", email: "" } }),
    500,
    "internal_error",
  ],
])(
  "reports an error of a host that %s, and never treats the call as anonymous or as another user's",
  async (_, host, status, code) => {
    const { ask, world } = await start(host as Authenticate);
    await world.posthorn.users.ensure(grace);
    const reply = await ask("GET /users/me");
    expect([reply.status, reply.body.error?.code]).toEqual([status, code]);
    expect(reply.text).not.toContain("session store");
  },
);

test("stops waiting for a host that never answers after a time limit", async () => {
  const { ask } = await start(() => new Promise(() => {}), { authenticateTimeoutMs: 20 });
  const { status, headers, body } = await ask("GET /users/me");
  expect([status, headers.get("retry-after"), body.error?.code]).toEqual([503, "1", "unavailable"]);
});

test.each([
  [{ "sec-fetch-site": "cross-site" }, 403],
  [{ "sec-fetch-site": "same-site" }, 403],
  [{ origin: "https://evil.example" }, 403],
  [{ origin: "null" }, 403],
  [{ "sec-fetch-site": "cross-site", origin: "https://app.example" }, 200],
  [{ origin: "https://app.example" }, 200],
  [{ "sec-fetch-site": "same-origin", origin: "https://elsewhere.example" }, 200],
  [{ "sec-fetch-site": "none" }, 200],
  [{}, 200],
])("a change by a cookie with %j is answered %i", async (said, status) => {
  const { ask, world } = await start(byCookie, { corsOrigins: ["https://app.example"] });
  await world.posthorn.users.ensure(grace);
  const headers = { ...cookie, ...said } as Record<string, string>;
  expect((await ask("PUT /users/me", { headers, body: { name: "G" } })).status).toBe(status);
  expect((await ask("GET /users/me", { headers })).status).toBe(200);
});

test("an administrator of the host reads the event stream until the host refuses them", async () => {
  const beats: (() => void)[] = [];
  let isIn = true;
  const everyHeartbeat = (beat: () => void) => {
    beats.push(beat);
    return () => {};
  };
  const host = () => (isIn ? { externalId: "crm-1" } : undefined);
  const { url, world } = await start(host, { eventStream: { everyHeartbeat } });
  const stream = () => fetch(`${url}/api/v1/admin/events/stream`);
  const { id } = await world.posthorn.users.ensure(grace);
  expect((await stream()).status).toBe(403);
  await world.posthorn.users.promote({ userId: id });
  const { status, body } = await stream();
  expect(status).toBe(200);
  isIn = false;
  for (const beat of beats) beat();
  // The stream ends: otherwise a reader would wait for ever.
  for await (const _ of body ?? []);
});

test("with one workspace, neither the request nor the host's login names it", async () => {
  const server = await startServer(
    { authenticate: () => ({ externalId: "crm-1", role: "admin" }) },
    undefined,
    {
      workspace: { name: "Shop" },
    },
  );
  onTestFinished(() => server.close());
  const { ask, world, logIn } = server;
  await world.posthorn.users.ensure(grace);
  expect((await ask("GET /workspaces/current")).body.data).toMatchObject({ name: "Shop", role: "admin" });
  // The document says so, too.
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApi;
  const { security, "x-codeSamples": samples = [] } = paths["/api/v1/workspaces/current"]?.["get"] ?? {};
  expect(security).toEqual([{ jwt: [], workspace: [] }, { jwt: [] }]);
  expect(samples[0]?.source).toBe(
    'curl "$POSTHORN_URL/api/v1/workspaces/current" \\\n  -H "Authorization: Bearer $TOKEN"',
  );
  const { token, userId } = await logIn();
  expect((await ask("GET /workspaces/current", { token })).body.error?.code).toBe("not_a_member");
  const { id } = await world.posthorn.workspaces.ensure({ externalId: "only", name: "Shop" });
  await world.posthorn.members.ensure({ userId, role: "viewer" }, { workspaceId: id });
  expect((await ask("GET /workspaces/current", { token })).body.data).toMatchObject({ role: "viewer" });
});

test("with one workspace, people create no other, of which they would be the owners", async () => {
  const server = await startServer(
    { authenticate: () => ({ externalId: "crm-1", role: "viewer" }) },
    undefined,
    { workspace: { name: "Shop" } },
  );
  onTestFinished(() => server.close());
  const { ask, world, logIn } = server;
  await world.posthorn.users.ensure(grace);
  const { token } = await logIn();
  for (const own of [{}, { token }]) {
    const { status, body } = await ask("POST /workspaces", { ...own, body: { name: "Mine" } });
    expect([status, body.error?.code]).toEqual([403, "forbidden"]);
  }
});

test("the document tells what such a login may be refused with", async () => {
  const { url, ask, world } = await start(() => ({ externalId: "crm-1", workspace: 999 }));
  await world.posthorn.users.ensure(grace);
  const read = await ask("GET /users/me");
  const forged = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  const changed = await ask("PUT /users/me", { headers: forged, body: { name: "Eve" } });
  expect([read.status, changed.status]).toEqual([404, 403]);
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  const { get, put } = paths["/api/v1/users/me"] ?? {};
  const stream = paths["/api/v1/admin/events/stream"]?.["get"];
  expect(Object.keys(get?.responses ?? {})).toEqual(["200", "400", "401", "404", "409", "414", "500", "503"]);
  expect(Object.keys(put?.responses ?? {})).toEqual(expect.arrayContaining(["403", "404", "409"]));
  expect(Object.keys(stream?.responses ?? {})).toEqual(expect.arrayContaining(["403", "404", "409"]));
  expect(Object.keys(paths["/api/v1/auth/login"]?.["post"]?.responses ?? {})).not.toContain("403");
});

test("a workspace created by such a user is trusted as the user is, not as the host is", async () => {
  const server = await startServer({ authenticate: byCookie }, undefined, { registration: "open" });
  onTestFinished(() => server.close());
  await server.world.posthorn.users.ensure(grace);
  await server.ask("POST /workspaces", { headers: cookie, body: { name: "Mine" } });
  const { items } = await server.world.posthorn.workspaces.listAll({});
  expect(items).toMatchObject([{ name: "Mine", isTrusted: false }]);
});

test("passes the framework's context to the host from a web handler", async () => {
  const { world } = await start();
  const { id } = await world.posthorn.users.ensure(grace);
  const handler = toWebHandler<[session: { user: string }]>(world.posthorn, {
    clientAddress: () => "192.0.2.1",
    authenticate: (_request, session) => ({ externalId: session.user }),
  });
  const request = new Request("http://127.0.0.1:8080/api/v1/users/me");
  const reply = await handler(request, { user: "crm-1" });
  expect(await reply.json()).toMatchObject({ data: { id } });
});
