import { once } from "node:events";
import type { RequestListener, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { createBoundedServer } from "./bounded-server.ts";
import { connectionsFor, readDescriptorLimit } from "./connection-limits.ts";

test.each([
  [64, 8],
  [256, 144],
  [1024, 720],
  [1_000_000, 10_000],
  [Number.POSITIVE_INFINITY, 10_000],
])("a process of %d descriptors serves %d connections", (descriptors, most) => {
  expect(connectionsFor(descriptors)).toBe(most);
});

test("reads the limit of descriptors from the system", () => {
  expect(readDescriptorLimit()).toBeGreaterThan(32);
});

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
const served = /^HTTP\/1\.1 200 .*served$/s;

/** Starts a server for three connections, and returns what opens one and sends something there. */
async function start(listener: RequestListener): Promise<(sent: string) => Promise<Socket>> {
  const { server, stop } = createBoundedServer(3, listener);
  server.listen(0, "127.0.0.1");
  onTestFinished(() => stop({ timeoutMs: 0 }));
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return async (sent) => {
    const accepted = once(server, "connection");
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    await accepted;
    socket.write(sent);
    return socket;
  };
}

const answerAtOnce: RequestListener = (_, response) => void response.end("served");

test("connections without a whole request give way to new ones, the oldest first", async () => {
  const open = await start(answerAtOnce);
  const silent = await open("");
  const slow = await open("GET / HTTP/1.1\r\nHost: a\r\nX-");
  const asked = await open(get);
  await once(asked, "data");
  const gone = once(silent.resume(), "close");
  expect(await text(await open(last))).toMatch(served);
  await gone;
  slow.write("A: b\r\nConnection: close\r\n\r\n");
  expect(await text(slow)).toMatch(served);
  expect(asked.destroyed).toBe(false);
});

test("an idle connection gives way before one that asked later", async () => {
  const open = await start(answerAtOnce);
  const ask = async (): Promise<Socket> => {
    const socket = await open(get);
    await once(socket, "data");
    return socket;
  };
  const [first, second, third] = [await ask(), await ask(), await ask()];
  first.write(get);
  await once(first, "data");
  const gone = once(second, "close");
  expect(await text(await open(last))).toMatch(served);
  await gone;
  expect([first.destroyed, third.destroyed]).toEqual([false, false]);
});

test.each([
  ["the rest of a body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx"],
  ["a caller that reads nothing", "GET /long HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["a caller that reads none of two responses", "GET /long HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2)],
])("a connection that waits for %s gives way to a new one", async (_, sent) => {
  const asked = vi.fn();
  const open = await start((request, response) => {
    asked();
    request.on("end", () => {
      // More than the system's buffers take.
      if (request.url === "/long") response.end(Buffer.alloc(64 * 1024 * 1024));
      else response.end("served");
    });
    request.resume();
  });
  const waiting = [await open(sent), await open(sent), await open(sent)];
  const requests = waiting.length * sent.split("HTTP/1.1").slice(1).length;
  await vi.waitUntil(() => asked.mock.calls.length === requests, { timeout: 60_000 });
  expect(await text(await open(last))).toMatch(served);
  for (const socket of waiting) socket.destroy();
});

test("connections that wait for the server give way to none: a further one gets a 503", async () => {
  const held: ServerResponse[] = [];
  const open = await start((_, response) => void held.push(response));
  const waiting = [await open(last), await open(last), await open(last)];
  await vi.waitUntil(() => held.length === 3, { timeout: 60_000 });
  const asked = get.replace("\r\n\r\n", "\r\nX-Request-Id: my-own\r\n\r\n");
  const refused = await text(await open(asked));
  expect(refused).toMatch(/^HTTP\/1\.1 503 .*x-request-id: my-own\r\n.*retry-after: 1\r\n.*"unavailable"/s);
  expect(refused).toContain('"request_id":"my-own"}');
  for (const response of held) response.end("served");
  for (const socket of waiting) expect(await text(socket)).toMatch(served);
});
