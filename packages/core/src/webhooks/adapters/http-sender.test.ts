import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { LookupFault } from "../../network/lookup-fault.ts";
import type { HttpPost } from "../../ports/http-sender.ts";
import { createHttpSender } from "./http-sender.ts";

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on(
    "connection",
    (socket: Socket) => sockets.add(socket).has(socket) && socket.on("error", () => {}),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUps.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

const serve = async (listener: RequestListener) =>
  `http://127.0.0.1:${await listen(createServer(listener))}/hook`;
const serveRaw = async (talk: (socket: Socket) => void) =>
  `http://127.0.0.1:${await listen(createTcpServer((socket) => void socket.once("data", () => talk(socket))))}/`;

function open(options?: Parameters<typeof createHttpSender>[0]) {
  const sender = createHttpSender(options);
  cleanUps.push(() => sender.close());
  return (url: string, changes: Partial<HttpPost> = {}) =>
    sender.post({
      url,
      headers: { "content-type": "application/json" },
      body: "{}",
      timeoutMs: 3_600_000,
      allowPrivate: true,
      ...changes,
    });
}

describe("createHttpSender", () => {
  test("posts the body and headers, and returns status, body and Retry-After", async () => {
    const seen: unknown[] = [];
    const url = await serve((request, response) => {
      request
        .setEncoding("utf8")
        .on("data", (body) =>
          seen.push(request.method, request.headers["x-a"], request.headers["accept-encoding"], body),
        );
      const [date, after] = ["Thu, 01 Jan 2026 00:00:00 GMT", "Thu, 01 Jan 2026 00:00:07 GMT"];
      request.on("end", () => response.writeHead(503, { date, "retry-after": after }).end("busy"));
    });
    const result = await open()(url, { headers: { "x-a": "1", "Accept-Encoding": "gzip" }, body: "[1]" });
    expect(result).toEqual({
      kind: "response",
      status: 503,
      body: "busy",
      retryAfter: 7,
      durationMs: expect.any(Number),
    });
    expect(seen[0]).toBe("POST");
    expect(seen.slice(1)).toEqual(["1", expect.stringMatching(/identity$/), "[1]"]);
  });

  test("follows no redirect", async () => {
    let calls = 0;
    const url = await serve((_, response) => {
      calls += 1;
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    expect(await open()(url)).toMatchObject({ kind: "response", status: 307 });
    expect(calls).toBe(1);
  });

  test("never decompresses", async () => {
    const bomb = gzipSync(Buffer.alloc(8 << 20));
    const url = await serve((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    );
    const result = await open()(url);
    expect(result).toMatchObject({ kind: "response", status: 200 });
    expect(result.kind === "response" && Buffer.byteLength(result.body)).toBeLessThanOrEqual(4_096);
  });

  test("stops reading an endless body after 64 KiB and keeps 4 KiB", async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serve((request, response) => {
      request.socket.on("close", () => closed.resolve());
      const write = (): void =>
        void (
          response.destroyed ||
          (response.write("x".repeat(16_384)) ? setImmediate(write) : response.once("drain", write))
        );
      write();
    });
    expect(await open()(url)).toMatchObject({ kind: "response", status: 200, body: "x".repeat(4_096) });
    await closed.promise;
  });

  test("a silent endpoint is a time-out; so is one whose name never resolves", async () => {
    const url = await serve(() => {});
    expect(await open()(url, { timeoutMs: 60 })).toMatchObject({ kind: "fault", fault: "timeout" });
    expect(
      await open({ resolver: { resolve: () => new Promise(() => {}) } })("http://slow.example/", {
        timeoutMs: 60,
      }),
    ).toMatchObject({ fault: "timeout" });
  });

  test("a body that exceeds the time limit does not change the status", async () => {
    const url = await serve((_, response) => void response.writeHead(200).write("so far"));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const arrived = Promise.withResolvers<unknown>();
    subscribe("undici:request:headers", arrived.resolve);
    const answering = open()(url, { timeoutMs: 3_000 });
    await arrived.promise;
    unsubscribe("undici:request:headers", arrived.resolve);
    // The beginning of the body came with the status.
    for (let turns = 0; turns < 10; turns += 1) await turn();
    vi.advanceTimersByTime(3_000);
    expect(await answering).toMatchObject({ kind: "response", status: 200, body: "so far" });
  });

  test("a body of NUL and bad UTF-8 becomes text that can be stored", async () => {
    const url = await serve((_, response) => response.end(Buffer.alloc(5_000, Buffer.from([0, 0xff]))));
    const result = await open()(url);
    expect(result.kind === "response" && /^\ufffd{1365}$/.test(result.body)).toBe(true);
  });

  test("names the class of each fault", async () => {
    const post = open();
    expect(await post(await serveRaw((socket) => socket.resetAndDestroy()))).toMatchObject({
      fault: "reset",
    });
    expect(await post(await serveRaw((socket) => socket.end()))).toMatchObject({ fault: "reset" });
    expect(await post(await serveRaw((socket) => socket.end("nonsense\r\n\r\n")))).toMatchObject({
      fault: "other",
    });
    expect(
      await post(
        await serveRaw((socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(200_000)}\r\n\r\n`)),
      ),
    ).toMatchObject({ fault: "too_large" });
    const plain = await serveRaw((socket) => socket.end("HTTP/1.1 400 Bad\r\n\r\n"));
    expect(await post(plain.replace("http:", "https:"))).toMatchObject({ fault: "tls" });
    expect(await post("http://127.0.0.1:1/")).toMatchObject({ fault: "connect" });
    expect(await post("nonsense")).toMatchObject({ fault: "invalid_url" });
    expect(
      await open({ resolver: { resolve: () => Promise.reject(new LookupFault("a.example", "not_found")) } })(
        "http://a.example/",
      ),
    ).toMatchObject({ fault: "dns" });
    const lacking = Object.assign(new Error("too many open files"), { code: "EMFILE" });
    for (const fault of [lacking, new AggregateError([new Error("refused"), lacking])])
      expect(
        await open({ resolver: { resolve: () => Promise.reject(fault) } })("http://a.example/"),
      ).toMatchObject({ fault: "exhausted" });
    expect(await open({ resolver: { resolve: async () => [] } })("http://a.example/")).toMatchObject({
      fault: "dns",
    });
  });
});

describe("a response without end", () => {
  /** Answers with `head`, then repeats `piece` as long as the other side reads. */
  const flood = (head: string, piece: string) =>
    serveRaw((socket) => {
      const pieces = piece.repeat(1_000);
      socket.write(head);
      const more = (): boolean => socket.writable && socket.write(pieces, () => setImmediate(more));
      more();
    });
  const outcomes = [
    ["interim responses", "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", { fault: "too_large" }],
    [
      "chunk extensions",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;",
      "a=b;",
      { kind: "response", status: 200 },
    ],
  ] as const;
  test.each(outcomes)("of %s is ended by its size", async (_, head, piece, outcome) => {
    expect(await open()(await flood(head, piece), { timeoutMs: 3_600_000 })).toMatchObject(outcome);
  });

  test("of headers is ended by the response's size alone: undici's own limit makes an error for each header", async () => {
    const head = `HTTP/1.1 200 OK\r\n${"A: b\r\n".repeat(10_000)}Content-Length: 0\r\n\r\n`;
    expect(await open()(await serveRaw((socket) => socket.write(head)))).toMatchObject({ status: 200 });
  });

  test("is not what many responses over few connections are", async () => {
    const accepted: Socket[] = [];
    const server = createServer((_, response) => response.end("x".repeat(60_000)));
    server.on("connection", (socket) => accepted.push(socket));
    const url = `http://127.0.0.1:${await listen(server)}/`;
    const post = open();
    for (let times = 0; times < 20; times += 1) expect(await post(url)).toMatchObject({ status: 200 });
    expect(accepted.length).toBeLessThan(5);
  });
});

test("an unused connection is closed soon, however long the endpoint asks to keep it", async () => {
  const head = "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=600\r\nContent-Length: 0\r\n\r\n";
  const sockets: Socket[] = [];
  const url = await serveRaw((socket) => sockets.push(socket) && socket.write(head));
  expect(await open({ idleMs: 1 })(url)).toMatchObject({ status: 200 });
  await expect.poll(() => sockets[0]?.destroyed).toBe(true);
});

describe("the address check", () => {
  test("refuses every name that resolves, even partly or in disguise, to a private address", async () => {
    const accepted: Socket[] = [];
    const port = await listen(createTcpServer((socket) => void accepted.push(socket)));
    for (const answer of [
      ["127.0.0.1"],
      ["8.8.8.8", "127.0.0.1"],
      ["::ffff:7f00:1"],
      ["::1"],
      ["10.0.0.1"],
      ["not an address"],
    ]) {
      const post = open({
        resolver: {
          resolve: async () => answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
        },
      });
      expect(await post(`https://rebind.example:${port}/`, { allowPrivate: false })).toMatchObject({
        fault: "blocked_address",
      });
    }
    expect(accepted).toEqual([]);
  });

  test("checks every new connection: a name that later resolves to a private address is refused", async () => {
    const accepted: Socket[] = [];
    const port = await listen(createTcpServer((socket) => void accepted.push(socket)));
    let asked = 0;
    // The first resolution fails without a connection; the second must be checked all the same.
    const post = open({
      resolver: { resolve: async () => (++asked % 2 === 1 ? [] : [{ address: "127.0.0.1", family: 4 }]) },
    });
    const faults: unknown[] = [];
    for (let i = 0; i < 20; i++)
      faults.push(await post(`https://rebind.example:${port}/`, { allowPrivate: false }));
    expect(faults.filter((result) => (result as { fault: string }).fault === "blocked_address")).toHaveLength(
      10,
    );
    expect(asked).toBe(20);
    expect(accepted).toEqual([]);
  });

  test("a connection opened with private targets allowed is not reused without", async () => {
    const url = await serve((_, response) => response.end("ok"));
    const named = url.replace("127.0.0.1", "host.example");
    const post = open({ resolver: { resolve: async () => [{ address: "127.0.0.1", family: 4 }] } });
    expect(await post(named)).toMatchObject({ kind: "response", status: 200 });
    expect(await post(named.replace("http:", "https:"), { allowPrivate: false })).toMatchObject({
      fault: "blocked_address",
    });
  });
});
