import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Logger } from "@posthorn/core";
import { afterEach, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../../../test/start-server.ts";

let server: TestServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

interface Peer {
  socket: Socket;
  /** All data received, once the server has closed the connection. */
  ended: Promise<string>;
}

/** Number of connections that the server holds. */
const count = (): Promise<number> =>
  new Promise((resolve) => server.server.server.getConnections((_, connections) => resolve(connections)));

/** Opens a connection that sends bytes; without reading it does not notice what arrives, nor its end. */
function open(bytes: string, { reads = true } = {}): Promise<Peer> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1");
    sockets.push(socket);
    let text = "";
    const ended = new Promise<string>((done) => {
      socket.on("close", () => done(text));
    });
    socket.on("error", reject);
    socket.on("connect", () => {
      socket.on("error", () => {});
      if (reads)
        socket.setEncoding("latin1").on("data", (chunk) => {
          text += String(chunk);
        });
      socket.write(bytes, "latin1", () => resolve({ socket, ended }));
    });
  });
}

const get = (path: string, more = ""): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

/** Holds back every response of `/readyz`; returns their number. */
function holdPings(): { held: () => number; release: () => void } {
  const { storage } = server.world;
  const { ping } = storage;
  const waiting: (() => void)[] = [];
  storage.ping = () => new Promise((resolve) => waiting.push(resolve));
  return {
    held: () => waiting.length,
    release() {
      storage.ping = ping;
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

describe("a connection's pipelined requests", () => {
  test("are processed one at a time, and answered in order", async () => {
    server = await startServer();
    const gate = holdPings();
    const last = get("/healthz", "Connection: close\r\n");
    const { ended } = await open(get("/readyz").repeat(3) + last);
    await expect.poll(gate.held).toBe(1);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(gate.held()).toBe(1);
    gate.release();
    const bodies = [...(await ended).matchAll(/"status":"(\w+)"/g)].map(([, status]) => status);
    expect(bodies).toEqual(["ready", "ready", "ready", "ok"]);
  });

  test.each([34, 50, 100])(
    "are answered up to the 33rd of %i, whose response closes the connection",
    async (count) => {
      server = await startServer();
      const gate = holdPings();
      const { ended } = await open(get("/readyz").repeat(count));
      await expect.poll(gate.held).toBe(1);
      gate.release();
      const answers = (await ended).split(/(?=HTTP\/1\.1 )/);
      expect(answers.map((answer) => answer.includes("200 OK"))).toEqual(Array(33).fill(true));
      expect(answers.map((answer) => /^connection: close/im.test(answer)).indexOf(true)).toBe(32);
    },
  );

  test("close the connection if they are more than any client sends", async () => {
    server = await startServer();
    const gate = holdPings();
    const { ended } = await open(get("/readyz").repeat(500));
    await ended;
    expect(gate.held()).toBe(1);
    gate.release();
  });
});

/** More bytes than the system buffers for a connection. */
const large = "x".repeat(12 * 1024 * 1024);

/** Starts a server with one path whose response is too large for a socket's buffers. */
async function serveLarge(
  limits: { writeTimeoutMs?: number; maxUnreadBytes?: number },
  logger?: Logger,
): Promise<void> {
  const mail = { id: "1", from: { name: "", address: "a@example.com" }, to: [], subject: "", receivedAt: 0 };
  const inbox = {
    list: () => [{ ...mail, subject: large }],
    find: () => undefined,
    clear: () => {},
  };
  server = await startServer({ limits, inbox }, undefined, logger === undefined ? {} : { logger });
}

describe("a response that the client does not read", () => {
  test("closes its connection after the write time-out", async () => {
    await serveLarge({ writeTimeoutMs: 60 });
    const accepted = once(server.server.server, "connection");
    await open(get("/inbox.json").replace("Host: a", "Host: localhost"), { reads: false });
    const [socket] = (await accepted) as [Socket];
    await expect.poll(() => socket.destroyed).toBe(true);
  });

  test("is not cut off while the client reads it", async () => {
    await serveLarge({ writeTimeoutMs: 20_000 });
    const answer = await (await fetch(`${server.url}/inbox.json`)).text();
    expect(answer.length).toBeGreaterThan(large.length);
  });

  test("is dropped, the oldest first, when all of them together hold too much memory", async () => {
    const told: unknown[] = [];
    const quiet = (): void => {};
    const warn = ({ err }: { err?: unknown }): void => void told.push(err);
    await serveLarge({ maxUnreadBytes: 30 * 1024 * 1024 }, { debug: quiet, info: quiet, warn, error: quiet });
    const request = get("/inbox.json").replace("Host: a", "Host: localhost");
    const peers: Peer[] = [];
    for (let at = 0; at < 3; at += 1) peers.push(await open(request, { reads: false }));
    await expect.poll(count).toBe(2);
    expect(told).toMatchObject([{ message: expect.stringContaining("limits.maxUnreadBytes") }]);
    const lengths = peers.map(async ({ socket, ended }) => {
      let length = 0;
      socket.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length > large.length) socket.destroy();
      });
      // The one that is dropped may have noticed it by now.
      await ended;
      return length > large.length;
    });
    expect(await Promise.all(lengths)).toEqual([false, true, true]);
  });
});

describe("a request body that arrives slowly or never ends", () => {
  const login = (length: number): string =>
    `POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  test("is refused with a 503, the largest first, when all unfinished ones together hold too much memory", async () => {
    server = await startServer({ limits: { maxBodyBytes: 20_000 } });
    const heavy = await open(`${login(12_000)}{"email":"${"x".repeat(11_000)}`);
    const light = await open(`${login(12_000)}{"email":"`);
    // Smaller than the first even if both of its parts arrive at once.
    const next = await open(`${login(12_000)}{"email":"${"x".repeat(8_800)}`);
    next.socket.write("x".repeat(500));
    await expect.poll(() => heavy.socket.bytesRead).toBeGreaterThan(0);
    heavy.socket.end();
    expect(await heavy.ended).toMatch(/^HTTP\/1\.1 503 .*"unavailable"/s);
    expect([light.socket.bytesRead, next.socket.bytesRead]).toEqual([0, 0]);
  });

  test("is not read forever after a 413", async () => {
    server = await startServer();
    const { socket, ended } = await open(login(1_000_000_000));
    const chunk = "x".repeat(256 * 1024);
    const send = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on("drain", send);
    send();
    expect(await ended).toMatch(/^HTTP\/1\.1 413 /);
    expect(socket.bytesWritten).toBeLessThan(120_000_000);
  });
});

describe("connections", () => {
  test("that are closed after invalid requests are destroyed even if the client keeps them open", async () => {
    server = await startServer();
    const { ended } = await open("nonsense\r\n\r\n", { reads: true });
    expect(await ended).toMatch(/^HTTP\/1\.1 400 /);
  });
});
