import { spawnSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { rawRequest } from "../../../test/raw-request.ts";
import { startServer, type TestServer } from "../../../test/start-server.ts";
import { createBoundedServer } from "./bounded-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const get = (path: string, more = ""): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const statuses = (answer: string): string[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, one = ""]) => one);

/** Opens a connection, sends a request, and waits for the beginning of its response. */
async function openIdle(): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1");
  socket.write(get("/healthz"));
  const [first] = await once(socket, "data");
  expect(String(first)).toMatch(/^HTTP\/1\.1 200 .*^connection: keep-alive/ims);
  return socket;
}

/** Holds back the response of `/readyz`. */
function holdReady(): { asked: Promise<void>; release: () => void } {
  const { storage } = server.world;
  const { ping } = storage;
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  storage.ping = async () => {
    asked.resolve();
    await released.promise;
    await ping();
  };
  return { asked: asked.promise, release: released.resolve };
}

const mostWaiting = "/proc/sys/net/core/somaxconn";

test.skipIf(!existsSync(mostWaiting) || Number(readFileSync(mostWaiting, "utf8")) < 4_096)(
  "a thousand connections may wait to be accepted",
  async () => {
    const sockets = Array.from({ length: 1_000 }, () =>
      connect(server.port, "127.0.0.1").on("error", () => {}),
    );
    // They connect in the next tick, before this process accepts any.
    const waiting = await new Promise<number>((resolve) => {
      process.nextTick(() => resolve(countWaiting(server.port)));
    });
    for (const socket of sockets) socket.destroy();
    expect(waiting).toBeGreaterThan(900);
  },
);

/** Counts the connections of a listening port that are not accepted yet, as Linux tells. */
function countWaiting(port: number): number {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const line = new RegExp(`${address} 00000000:0000 0A [\\dA-F]+:([\\dA-F]+)`);
  return Number.parseInt(line.exec(readFileSync("/proc/net/tcp", "utf8"))?.[1] ?? "0", 16);
}

describe("a server that stops", () => {
  test("answers a request that was on its way on an idle connection, and closes that", async () => {
    const socket = await openIdle();
    const stopped = server.server.stop({ idleMs: 60_000 });
    socket.write(get("/healthz"));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*^connection: close/ims);
    await stopped;
  });

  test("answers requests whose connections wait to be accepted", async () => {
    const answers = Array.from({ length: 100 }, () => rawRequest(server.port, get("/healthz")));
    // They connect in the next tick, before this process accepts any.
    const stopped = await new Promise<{ end: Promise<void> }>((resolve) => {
      // They are waited for during a quarter of this time, however long the process is suspended.
      const inTime = { timeoutMs: 3_600_000, idleMs: 60_000 };
      process.nextTick(() => resolve({ end: server.server.stop(inTime) }));
    });
    for (const answer of await Promise.all(answers))
      expect(answer).toMatch(/^HTTP\/1\.1 200 .*^connection: close/ims);
    await stopped.end;
  });

  test("is not ready any more", async () => {
    const socket = await openIdle();
    const stopped = server.server.stop({ idleMs: 60_000 });
    socket.write(get("/readyz"));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 503 .*shutting down/s);
    await stopped;
  });

  test("closes connections that stay idle", async () => {
    const socket = await openIdle();
    await server.server.stop({ idleMs: 1 });
    expect(await text(socket)).toBe("");
  });

  test("closes connections that never had a request", async () => {
    const socket = connect(server.port, "127.0.0.1");
    await once(server.server.server, "connection");
    await server.server.stop({ idleMs: 1 });
    expect(await text(socket)).toBe("");
  });

  test("says in the response to a request in progress that its connection closes", async () => {
    const { asked, release } = holdReady();
    const answer = fetch(`${server.url}/readyz`);
    await asked;
    const stopped = server.server.stop({ idleMs: 60_000 });
    release();
    expect((await answer).headers.get("connection")).toBe("close");
    await stopped;
  });
});

describe("a request that would rather speak another protocol", () => {
  const upgrade = "Connection: Upgrade\r\nUpgrade: h2c\r\n";
  const post = (more: string, body: string): string =>
    `POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\n${upgrade}Content-Type: application/json\r\n${more}\r\n${body}`;

  test.each([
    ["without a body", get("/healthz", upgrade), "200"],
    ["with a body", post("Content-Length: 2\r\n", "{}"), "400"],
    ["with a body of unknown length", post("Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"), "400"],
  ])(
    "%s closes the connection if others follow in its packet, which Node drops",
    async (_, request, status) => {
      const answer = await rawRequest(server.port, request + get("/healthz"));
      expect(statuses(answer)).toEqual([status]);
      expect(answer).toMatch(/^connection: close/im);
    },
  );

  test("keeps the connection of a client that waits for its answers", async () => {
    const socket = connect(server.port, "127.0.0.1").setEncoding("latin1");
    for (const request of [
      get("/healthz", upgrade),
      post("Content-Length: 2\r\n", "{}"),
      get("/healthz", upgrade),
    ]) {
      socket.write(request);
      const [answer] = (await once(socket, "data")) as string[];
      expect(answer).toMatch(/^connection: keep-alive/im);
    }
    socket.destroy();
  });
});

describe("bytes that are no HTTP", () => {
  test("behind a request in progress do not take the place of its response", async () => {
    const { asked, release } = holdReady();
    const answer = rawRequest(server.port, `${get("/readyz")}nonsense\r\n\r\n`);
    await asked;
    release();
    expect(await answer).toMatch(/^HTTP\/1\.1 200 .*^connection: close.*"ready"/ims);
    expect(statuses(await answer)).toEqual(["200"]);
  });

  test("behind two requests in progress leave both their responses", async () => {
    const { asked, release } = holdReady();
    const answer = rawRequest(server.port, `${get("/readyz").repeat(2)}nonsense\r\n\r\n`);
    await asked;
    release();
    expect(statuses(await answer)).toEqual(["200", "200"]);
  });

  test("are noted once, however many follow behind a response that has begun", async () => {
    const begun = Promise.withResolvers<ServerResponse>();
    const { server: bounded, stop } = createBoundedServer(10, (_, response) => {
      response.write("a");
      begun.resolve(response);
    });
    await once(bounded.listen(0, "127.0.0.1"), "listening");
    const socket = connect((bounded.address() as AddressInfo).port, "127.0.0.1");
    socket.write(get("/"));
    const response = await begun.promise;
    const listeners = response.listenerCount("finish");
    for (const _ of Array(3)) {
      socket.write("nonsense\r\n\r\n");
      await once(bounded, "clientError");
    }
    expect(response.listenerCount("finish")).toBe(listeners + 1);
    response.end("b");
    expect(statuses(await text(socket))).toEqual(["200"]);
    await stop();
  });

  test("within a request's body are answered with a 400", async () => {
    const head = "POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
    const answer = await rawRequest(
      server.port,
      `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nnonsense\r\n`,
    );
    expect(statuses(answer)).toEqual(["400"]);
  });

  test("behind an answered request are answered with a 400", async () => {
    const socket = await openIdle();
    socket.write("nonsense\r\n\r\n");
    expect(statuses(await text(socket))).toEqual(["400"]);
  });
});

test("a server does without Node's WebSocket client, which an import of node:http loads", () => {
  const place = JSON.stringify(new URL("bounded-server.ts", import.meta.url));
  const program = `const { createBoundedServer } = await import(${place}); createBoundedServer(10, () => {});
    console.log(process.moduleLoadList.filter((name) => /(\\bhttp|undici)$/.test(name)).join());`;
  const options = ["--conditions=posthorn-source", "--input-type=module", "--eval", program];
  const { stdout } = spawnSync(process.execPath, options, { encoding: "utf8" });
  expect(stdout.trim()).toBe("NativeModule internal/http,NativeModule http");
});

test("a runtime whose HTTP server is no server of node:net, such as Bun, stops it by its own method", async () => {
  const close = vi.fn((done?: () => void) => done?.());
  const foreign = Object.assign(new EventEmitter(), {
    close,
    closeIdleConnections: () => undefined,
    closeAllConnections: () => undefined,
  });
  vi.spyOn(process, "getBuiltinModule").mockReturnValueOnce({ createServer: () => foreign } as never);
  const { stop } = createBoundedServer(1, () => undefined);
  await stop();
  expect(close).toHaveBeenCalled();
});
