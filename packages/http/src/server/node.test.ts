import { once } from "node:events";
import { Agent, createServer as createHttpServer, get, IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../../test/start-server.ts";
import { toNodeHandler } from "./node.ts";

let server: TestServer;
const stops: (() => void)[] = [];
beforeAll(async () => {
  server = await startServer();
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});
afterAll(() => server.close());

/** Starts a server of a host around the handler; returns its URL. */
async function host(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const http = createHttpServer(listener);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  stops.push(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

async function logIn(url: string): Promise<[number, string]> {
  const body = JSON.stringify({ email: "nobody@example.com", password: "wrong" });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/api/v1/auth/login`, { method: "POST", headers, body });
  const answer = (await response.json()) as { error: { code: string } };
  return [response.status, answer.error.code];
}

const refused: [number, string] = [401, "invalid_credentials"];

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

test("serves requests that a host's adapter built without raw headers", async () => {
  const handler = toNodeHandler(server.world.posthorn);
  const request = Object.assign(new IncomingMessage(new Socket()), {
    method: "GET",
    url: "/healthz",
    httpVersion: "1.1",
    headers: { host: "shop.example" },
  });
  const response = new ServerResponse(request);
  response.assignSocket(new Socket().on("error", () => undefined));
  handler(request, response);
  await expect.poll(() => response.headersSent).toBe(true);
  expect(response.statusCode).toBe(200);
});

test("works under a prefix, whether the host strips it or not", async () => {
  const handler = toNodeHandler(server.world.posthorn, { prefix: "/mail/" });
  const url = await host((request, response) => {
    if (request.headers["x-strip"] === "1") request.url = request.url?.slice("/mail".length) ?? "/";
    handler(request, response);
  });
  expect(await logIn(`${url}/mail`)).toEqual(refused);
  expect((await fetch(`${url}/mail/healthz`, { headers: { "x-strip": "1" } })).status).toBe(200);
  expect((await fetch(`${url}/mailbox/healthz`)).status).toBe(404);
});

test("works under a prefix where a framework strips the whole path, and keeps the original beside it", async () => {
  const handler = toNodeHandler(server.world.posthorn, { prefix: "/mail" });
  const url = await host((request, response) => {
    // Like NestJS's forRoutes("mail/*path").
    Object.assign(request, { originalUrl: request.url, url: request.url?.replace(/^[^?]*/, "/") });
    handler(request, response);
  });
  expect(await logIn(`${url}/mail`)).toEqual(refused);
  expect((await fetch(`${url}/mail/healthz?now`)).status).toBe(200);
  expect((await fetch(`${url}/mailbox/healthz`)).status).toBe(404);
});

test("works with a host's compression, and streams events through it at once", async () => {
  let flushes = 0;
  const handler = toNodeHandler(server.world.posthorn);
  const url = await host((request, response) => {
    // Like the middleware `compression`: a write takes no callback, and buffered data is sent by `flush`.
    const write = response.write.bind(response) as (chunk: Uint8Array | string) => boolean;
    Object.assign(response, {
      write: (chunk: Uint8Array | string) => write(chunk),
      flush() {
        flushes += 1;
      },
    });
    handler(request, response);
  });
  const whole = await (await fetch(`${url}/openapi.json`)).text();
  expect(whole.length).toBeGreaterThan(200_000);
  expect(JSON.parse(whole)).toHaveProperty("openapi");
  expect(flushes).toBe(0);
  const { token } = await server.logIn({ admin: true });
  const stream = await fetch(`${url}/api/v1/admin/events/stream?token=${token}`);
  const reader = stream.body?.getReader();
  await reader?.read();
  expect(flushes).toBeGreaterThan(0);
  await reader?.cancel();
});

test("a form already parsed by the host is read as a form", async () => {
  const handler = toNodeHandler(server.world.posthorn);
  const url = await host((request, response) => {
    readAll(request).then((bytes) => {
      handler(
        Object.assign(request, { body: Object.fromEntries(new URLSearchParams(bytes.toString())) }),
        response,
      );
    });
  });
  // Our own form gets a page, a program's post a line of text.
  const body = new URLSearchParams({ confirm: "1" });
  expect((await fetch(`${url}/u/none`, { method: "POST", body })).headers.get("content-type")).toContain(
    "text/html",
  );
});

test("passes other paths to the host, and answers its own", async () => {
  const handler = toNodeHandler(server.world.posthorn);
  const url = await host((request, response) => handler(request, response, () => response.end("the host's")));
  expect(await (await fetch(`${url}/elsewhere`)).text()).toBe("the host's");
  expect(await (await fetch(`${url}//elsewhere`)).text()).toBe("the host's");
  // In JSON, to a browser's address bar, too: only what is not the API has pages.
  const refused = await fetch(`${url}/api/v1/users/me`, { headers: { accept: "text/html" } });
  expect(refused.status).toBe(401);
  expect(refused.headers.get("content-type")).toContain("json");
  handler.close();
  expect((await fetch(`${url}/api/v1/users/me`)).status).toBe(503);
  expect(await (await fetch(`${url}/elsewhere`)).text()).toBe("the host's");
});

test("once closed, closes the connections of busy callers, whom the host's server would wait for", async () => {
  const handler = toNodeHandler(server.world.posthorn);
  const http = createHttpServer(handler);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = http.address() as AddressInfo;
  const ask = (): Promise<string> =>
    new Promise((resolve, reject) => {
      get({ agent, port, host: "127.0.0.1", path: "/healthz" }, (response) => {
        response.resume().on("end", () => resolve(`${response.statusCode} ${response.headers.connection}`));
      }).on("error", reject);
    });
  expect(await ask()).toBe("200 keep-alive");
  const underWay = ask();
  await once(http, "request");
  const ended = once(http, "close");
  handler.close();
  http.close();
  expect(await underWay).toBe("200 close");
  await ended;
});

test.each([
  ["an object", (bytes: Buffer) => ({ body: JSON.parse(bytes.toString()) as unknown })],
  ["text", (bytes: Buffer) => ({ body: bytes.toString() })],
  ["bytes", (bytes: Buffer) => ({ body: bytes })],
  ["raw bytes beside it", (bytes: Buffer) => ({ body: { changed: true }, rawBody: bytes })],
])("works after a body parser that left %s", async (_, leave) => {
  const handler = toNodeHandler(server.world.posthorn);
  const url = await host((request, response) => {
    void readAll(request).then((bytes) => handler(Object.assign(request, leave(bytes)), response));
  });
  expect(await logIn(url)).toEqual(refused);
});

test("says so if a parser passed nothing on", async () => {
  const handler = toNodeHandler(server.world.posthorn);
  const url = await host((request, response) => {
    void readAll(request).then(() => handler(request, response));
  });
  expect(await logIn(url)).toEqual([500, "internal_error"]);
  const response = await fetch(`${url}/api/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect(await response.text()).toContain("The host read the request's body before this handler.");
  // Nothing was to be passed on.
  const { token } = await server.logIn();
  const headers = { authorization: `Bearer ${token}` };
  const logout = await fetch(`${url}/api/v1/users/me/sessions/logout`, { method: "POST", headers });
  expect(logout.status).toBe(200);
});

test("reads the stream itself if a parser only set a default body", async () => {
  const handler = toNodeHandler(server.world.posthorn);
  const url = await host((request, response) => handler(Object.assign(request, { body: {} }), response));
  expect(await logIn(url)).toEqual(refused);
});

test("two handlers in one process are independent", async () => {
  const first = toNodeHandler(server.world.posthorn);
  const second = toNodeHandler(server.world.posthorn);
  first.close();
  const urls = [
    await host((request, response) => first(request, response)),
    await host((request, response) => second(request, response)),
  ];
  const statuses = await Promise.all(urls.map(async (url) => (await fetch(`${url}/healthz`)).status));
  expect(statuses).toEqual([503, 200]);
});
