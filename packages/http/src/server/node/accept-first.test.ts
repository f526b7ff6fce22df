import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { acceptFirst } from "./accept-first.ts";
import { createBoundedServer } from "./bounded-server.ts";

let now = 0;
beforeEach(() => {
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("connections that arrive together are all accepted before the first request is handled", async () => {
  let accepted = 0;
  const seen: number[] = [];
  const { server, stop } = createBoundedServer(100, (_, response) => {
    seen.push(accepted);
    response.end();
  });
  server.on("connection", () => {
    accepted += 1;
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const program = `
    const { port, sent } = require("node:worker_threads").workerData;
    for (let count = 0; count < 20; count += 1) {
      const socket = require("node:net").connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n", () => {
        if (Atomics.add(sent, 0, 1) === 19) Atomics.notify(sent, 0);
      }));
      socket.resume();
    }`;
  const { port } = server.address() as AddressInfo;
  const worker = new Worker(program, { eval: true, workerData: { port, sent } });
  await once(worker, "online");
  // This thread's event loop stands still until all have sent their request.
  for (let count = 0; count < 20; count = Atomics.load(sent, 0)) Atomics.wait(sent, 0, count);
  await expect.poll(() => seen.length, { timeout: 20_000 }).toBe(20);
  expect(seen).toEqual(Array(20).fill(20));
  await worker.terminate();
  await stop({ idleMs: 0 });
});

test("requests run in order once no more arrive, those of closed connections never", async () => {
  const server = createServer();
  const run = acceptFirst(server);
  const [socket, closed] = [new Socket(), new Socket()];
  const ran: string[] = [];
  run(socket, () => ran.push("at once"));
  server.emit("connection", socket);
  run(socket, () => ran.push("first"));
  run(closed, () => ran.push("closed"));
  await turn();
  server.emit("connection", socket);
  run(socket, () => ran.push("second"));
  await turn();
  expect(ran).toEqual(["at once"]);
  closed.destroy();
  await turn();
  expect(ran).toEqual(["at once", "first", "second"]);
});

test("requests run after 256 connections, however many follow", async () => {
  const server = createServer();
  const run = acceptFirst(server);
  let turns = 0;
  let ended: number | undefined;
  server.emit("connection", new Socket());
  run(new Socket(), () => {
    ended = turns;
  });
  for (; turns < 300; turns += 1) {
    server.emit("connection", new Socket());
    await turn();
  }
  expect(ended).toBeGreaterThan(250);
  expect(ended).toBeLessThan(257);
});

test.each([
  ["10 ms where it had little else to do", 0, 2],
  ["as long as it did something else", 32, 7],
  ["100 ms at most", 5_000, 20],
])("in long turns, which count 5 ms, requests run after %s", async (_, before, turns) => {
  const server = createServer();
  const run = acceptFirst(server);
  let ended: number | undefined;
  now += before;
  server.emit("connection", new Socket());
  run(new Socket(), () => {
    ended ??= now;
  });
  const start = now;
  for (let count = 0; count < 30; count += 1) {
    await turn();
    server.emit("connection", new Socket());
    now += 15;
  }
  expect(ended).toBe(start + 15 * turns);
});
