import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../../test/start-server.ts";
import { toWebHandler } from "./web.ts";

const clientAddress = () => "203.0.113.7";
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

test("answers Fetch requests with Fetch responses", async () => {
  const { token, email } = await server.logIn();
  const handle = toWebHandler(server.world.posthorn, { prefix: "/mail", clientAddress });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const read = await handle(new Request("https://host.example/mail/api/v1/users/me", { headers }));
  expect([read.status, ((await read.json()) as { data: { email: string } }).data.email]).toEqual([
    200,
    email,
  ]);
  const body = JSON.stringify({ name: "Ada" });
  const put = await handle(
    new Request("https://host.example/mail/api/v1/users/me", { method: "PUT", headers, body }),
  );
  expect((await put.json()) as unknown).toMatchObject({ data: { name: "Ada" } });
  const head = await handle(
    new Request("https://host.example/mail/api/v1/users/me", { method: "HEAD", headers }),
  );
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("serves the root of its prefix with and without a slash at the end, and no path that only begins like it", async () => {
  const login = { email: "ada@example.com", password: "secret" };
  const home = () => ({ url: "http://localhost/mail", apiKey: "sk_1", login, workspaceId: 1 });
  const handle = toWebHandler(server.world.posthorn, {
    prefix: "/mail",
    clientAddress: () => "127.0.0.1",
    home,
  });
  const statuses = ["/mail", "/mail/", "/mail?a=b", "/mailbox/healthz", "/healthz"].map(async (path) => {
    const request = new Request(`http://localhost${path}`, { headers: { host: "localhost" } });
    return (await handle(request)).status;
  });
  expect(await Promise.all(statuses)).toEqual([200, 200, 200, 404, 200]);
});

test.each([Promise.resolve("203.0.113.7"), ["203.0.113.7"]])(
  "refuses %o as the client's address, which would be that of all clients",
  async (address) => {
    const handle = toWebHandler(server.world.posthorn, { clientAddress: () => address as unknown as string });
    await expect(handle(new Request("https://host.example/healthz"))).rejects.toThrow(
      new TypeError("clientAddress must return a text or undefined, and at once, without a promise"),
    );
  },
);

test("says so if the host has read the body", async () => {
  const handle = toWebHandler(server.world.posthorn, { clientAddress });
  const headers = { "content-type": "application/json" };
  const request = new Request("https://host.example/api/v1/auth/login", {
    method: "POST",
    headers,
    body: "{}",
  });
  const locked = request.clone();
  locked.body?.getReader();
  await request.text();
  for (const taken of [request, locked]) {
    const response = await handle(taken);
    expect(response.status).toBe(500);
    expect(await response.text()).toContain("The host read the request's body before this handler.");
  }
});

test.each(["POST /auth/login", "POST /inbound/generic/token"])(
  "a body that breaks off is the caller's fault: %s",
  async (signature) => {
    const [method = "", path = ""] = signature.split(" ");
    const handle = toWebHandler(server.world.posthorn, { clientAddress });
    const pull = (controller: ReadableStreamDefaultController) => controller.error(new Error("aborted"));
    const request = new Request(`https://host.example/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: new ReadableStream({ pull }),
      duplex: "half",
    });
    const response = await handle(request);
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining("The body broke off."),
    ]);
  },
);

test("refuses two Authorization headers and a body that is too large", async () => {
  const handle = toWebHandler(server.world.posthorn, { clientAddress });
  const headers = new Headers([
    ["authorization", "Bearer a"],
    ["authorization", "Bearer b"],
  ]);
  const doubled = await handle(new Request("https://host.example/api/v1/users/me", { headers }));
  expect(doubled.status).toBe(400);
  const body = "x".repeat(1024 * 1024 + 1);
  const large = await handle(
    new Request("https://host.example/api/v1/auth/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    }),
  );
  expect(large.status).toBe(413);
});

test("once closed, closes the connections of busy callers, whom the host's server would wait for", async () => {
  const handle = toWebHandler(server.world.posthorn, { clientAddress });
  const ask = () => handle(new Request("https://host.example/healthz"));
  expect((await ask()).headers.get("connection")).toBeNull();
  handle.close();
  const { status, headers } = await ask();
  expect([status, headers.get("connection")]).toEqual([503, "close"]);
});

test("streams events", async () => {
  const { token } = await server.logIn({ admin: true });
  const handle = toWebHandler(server.world.posthorn, { clientAddress });
  const response = await handle(
    new Request(`https://host.example/api/v1/admin/events/stream?token=${token}&last_event_id=0`),
  );
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  await server.world.addWorkspace();
  while (!text.includes("workspace.created")) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) throw new Error("the stream has ended");
    text += decoder.decode(value);
  }
  expect(text).toMatch(/^:\n\nid: \d+\ndata: \{/);
  handle.close();
  await reader?.cancel();
});
