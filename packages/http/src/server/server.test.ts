import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { rawRequest } from "../../test/raw-request.ts";
import { startServer } from "../../test/start-server.ts";
import { createPosthornServer } from "./server.ts";

describe("the server", () => {
  test("sets the documented time-outs and limits", async () => {
    const { server, close } = await startServer({ maxConnections: 800 });
    const { headersTimeout, requestTimeout, keepAliveTimeout, maxHeadersCount, maxConnections } =
      server.server;
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, maxHeadersCount, maxConnections }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5_000,
      maxHeadersCount: 100,
      // An eighth more connections, which get a 503.
      maxConnections: 900,
    });
    await close();
  });

  test("keeps an idle connection for longer than any usual proxy does, and tells clients to close it after 5 s", async () => {
    const server = await startServer();
    const accepted = once(server.server.server, "connection") as Promise<[Socket]>;
    const client = connect(server.port, "127.0.0.1", () =>
      client.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"),
    );
    const [answer] = (await once(client, "data")) as [Buffer];
    expect(String(answer)).toMatch(/^keep-alive: timeout=5\r$/im);
    const [socket] = await accepted;
    await expect.poll(() => socket.timeout).toBe(620_000);
    client.destroy();
    await server.close();
  });

  test.each([
    ["no HTTP at all", "hello\r\n\r\n", 400],
    ["headers without end", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400],
    ["the wish for a tunnel", "CONNECT mail.example:25 HTTP/1.1\r\nHost: mail.example:25\r\n\r\n", 400],
    ["a version that Node takes for 1.1", "GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n", 400],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ])("survives %s, and says so as of any other error", async (_, bytes, status) => {
    const server = await startServer();
    const answer = await rawRequest(server.port, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    // A UUID of version 7, as of any other request.
    const [, requestId] = /^x-request-id: ([\da-f]{8}-[\da-f]{4}-7[\da-f-]{21})\r$/m.exec(answer) ?? [];
    expect(requestId).toBeDefined();
    expect(JSON.parse(answer.slice(answer.indexOf("{")))).toMatchObject({
      success: false,
      error: { code: status === 431 ? "payload_too_large" : "validation_failed" },
      request_id: requestId,
    });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await server.close();
  });

  test("answers what came before the wish for a tunnel", async () => {
    const { port, close } = await startServer();
    const answer = await rawRequest(
      port,
      "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\nCONNECT b:25 HTTP/1.1\r\nHost: b:25\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*^connection: close\r$.*"ready"/ims);
    await close();
  });

  test("says which version of HTTP it speaks to a client that begins with another", async () => {
    const { port, close } = await startServer();
    for (const line of ["GET / HTTP/9.9", "GET / HTTP/2.0", "PRI * HTTP/2.0"])
      expect(await rawRequest(port, `${line}\r\nHost: a\r\n\r\n`)).toContain("Only HTTP/1.1 is spoken");
    await close();
  });

  test("says of a first line without its carriage return that this is missing, not that its version is another", async () => {
    const { port, close } = await startServer();
    const answer = await rawRequest(port, "GET /healthz HTTP/1.1\nHost: a\n\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*a carriage return and a line feed/s);
    await close();
  });

  test.each(["websocket", "h2c"])("ignores that a client would rather speak %s", async (protocol) => {
    const server = await startServer();
    const bytes = `PUT /api/v1/users/me HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\nContent-Type: application/json\r\nAuthorization: Bearer ${(await server.logIn()).token}\r\nContent-Length: 14\r\n\r\n{"name":"Eve"}`;
    expect(await rawRequest(server.port, bytes)).toMatch(/^HTTP\/1\.1 200 .*"name":"Eve"/s);
    await server.close();
  });

  test("survives a client that disconnects in the middle of a body", async () => {
    const server = await startServer();
    const head = "POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, "127.0.0.1", () => {
        socket.write(`${head}Content-Length: 100\r\n\r\n{"email"`, () => socket.destroy());
      });
      socket.on("close", () => resolve());
    });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await server.close();
  });

  test("serves metrics on a port of their own, and nothing else there", async () => {
    const server = await startServer();
    const { url } = await server.server.listenForMetrics(0);
    const metrics = await fetch(`${url}/metrics`);
    expect(metrics.headers.get("content-type")).toContain("version=0.0.4");
    expect(await metrics.text()).toContain("posthorn_queue_due 0");
    const head = await fetch(`${url}/metrics`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await fetch(`${url}/api/v1/users/me`)).status).toBe(404);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    await server.close();
    await expect(fetch(`${url}/metrics`)).rejects.toThrow();
  });

  test("reports a port that is none, or in use", async () => {
    const server = await startServer();
    const second = createPosthornServer(server.world.posthorn);
    for (const port of [undefined, Number.NaN, 65_536, "80x"])
      await expect(second.listen(port as number)).rejects.toThrow(/^listen takes a port, a number from 0 /);
    await expect(second.listen(server.port)).rejects.toMatchObject({ code: "EADDRINUSE" });
    await server.close();
  });

  test("on close, finishes requests in flight, ends streams, and accepts no connections", async () => {
    const { world, ...server } = await startServer();
    const { token } = await server.logIn({ admin: true });
    const stream = await fetch(`${server.url}/api/v1/admin/events/stream?token=${token}`);
    let arrived: () => void = () => {};
    let release: () => void = () => {};
    const inFlight = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const ping = world.storage.ping;
    world.storage.ping = async () => {
      arrived();
      await gate;
      await ping();
    };
    const slow = fetch(`${server.url}/readyz`);
    await inFlight;
    const stopped = server.server.stop({ timeoutMs: 60_000 });
    await expect(stream.text()).resolves.toMatch(/^:/);
    // One that waits already to be accepted is answered.
    const ask = (): Promise<unknown> => fetch(`${server.url}/healthz`).then(({ status }) => status);
    await expect.poll(() => ask().catch(() => "refused"), { timeout: 60_000 }).toBe("refused");
    release();
    expect((await slow).status).toBe(200);
    await stopped;
    await world.close();
  });

  test("closes connections that are still open at the deadline", async () => {
    const { world, ...server } = await startServer();
    const asked = Promise.withResolvers<void>();
    world.storage.ping = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    const hanging = fetch(`${server.url}/readyz`).catch((error: Error) => error.name);
    await asked.promise;
    await server.server.stop({ timeoutMs: 10 });
    expect(await hanging).toBe("TypeError");
    await world.close();
  });

  test("waits without end for what is under way, if asked to", async () => {
    const { world, ...server } = await startServer();
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    world.storage.ping = () => {
      asked.resolve();
      return gate.promise;
    };
    const hanging = fetch(`${server.url}/readyz`);
    await asked.promise;
    const { port } = await server.server.listenForMetrics(0);
    const stopped = server.server.stop({ timeoutMs: Number.POSITIVE_INFINITY });
    // Node's timer of such a time would have run by then.
    await expect.poll(() => isRefused(server.port)).toBe(true);
    expect((await fetch(`http://127.0.0.1:${port}/other`)).status).toBe(404);
    gate.resolve();
    expect((await hanging).status).toBe(200);
    await stopped;
    await world.close();
  });

  test.each([{ timeoutMs: Number.NaN }, { idleMs: -1 }, { timeout: 5 }, { timeoutMs: "5s" }, null])(
    "goes on if it is told to stop with %j",
    async (options) => {
      const { close, url, server } = await startServer();
      await expect(server.stop(options as object)).rejects.toThrow(TypeError);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      await close();
    },
  );
});

/** Whether a port takes no connection any more. */
const isRefused = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    () => false,
    () => true,
  );
