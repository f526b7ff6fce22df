import { createHash } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createBoundedServer } from "./bounded-server.ts";
import { createReadingTurns } from "./reading-turns.ts";

/** A request that counts how often it may be read. */
function makeRequest(headers: Record<string, string> = {}) {
  let reads = 0;
  const request = {
    headers,
    push: () => true,
    _read() {
      reads += 1;
    },
  };
  return { request: request as unknown as IncomingMessage, reads: () => reads };
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const byte = Buffer.alloc(1);

test("a request of many chunks is held, and of several that are, one is read again in each fifth turn", async () => {
  const readInTurns = createReadingTurns();
  const all = [makeRequest(), makeRequest(), makeRequest()];
  for (const { request } of all) {
    readInTurns(request);
    for (let chunk = 0; chunk < 10_000; chunk += 1) {
      const hasRoom = request.push(byte);
      if (chunk < 100) expect(hasRoom).toBe(true);
      if (chunk > 300) expect(hasRoom).toBe(false);
    }
    request._read(1);
  }
  const seen: number[][] = [];
  for (let turn = 0; turn < 12; turn += 1) {
    seen.push(all.map(({ reads }) => reads()));
    await nextTurn();
  }
  const afterFirst = Array<number[]>(5).fill([1, 0, 0]);
  const afterSecond = Array<number[]>(5).fill([1, 1, 0]);
  expect(seen).toEqual([[0, 0, 0], ...afterFirst, ...afterSecond, [1, 1, 1]]);
});

test("a short body is not watched, and one read at leisure is not held", async () => {
  const readInTurns = createReadingTurns();
  const short = makeRequest({ "content-length": "100" });
  const { push } = short.request;
  readInTurns(short.request);
  expect(short.request.push).toBe(push);
  const long = makeRequest({ "content-length": "1000000" });
  readInTurns(long.request);
  for (let turn = 0; turn < 20; turn += 1) {
    for (let chunk = 0; chunk < 100; chunk += 1) expect(long.request.push(byte)).toBe(true);
    long.request._read(1);
    await nextTurn();
  }
  expect(long.reads()).toBe(20);
});

test.each([
  ["of a byte each", 1, 60_000],
  ["of 64 KiB", 65_536, 400],
])(
  "bodies in chunks %s arrive whole, several at once, and the next request behind them",
  async (_, size, count) => {
    const digests: string[] = [];
    const { server, stop } = createBoundedServer(10, async (request, response) => {
      const hash = createHash("sha256");
      for await (const chunk of request) hash.update(chunk);
      digests.push(hash.digest("hex"));
      response.end("read");
    });
    onTestFinished(() => stop({ timeoutMs: 0 }));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const chunk = Buffer.alloc(size, "x");
    const piece = Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), chunk, Buffer.from("\r\n")]);
    const head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    const body = Buffer.concat([Buffer.from(head), ...Array(count).fill(piece), Buffer.from("0\r\n\r\n")]);
    const ask = async () => {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
      socket.write(body);
      socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      let text = "";
      for await (const data of socket) text += data;
      return text.match(/HTTP\/1.1 200 OK/g)?.length;
    };
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([2, 2, 2]);
    const whole = createHash("sha256");
    for (let at = 0; at < count; at += 1) whole.update(chunk);
    const nothing = createHash("sha256").digest("hex");
    const expected = whole.digest("hex");
    expect(digests.toSorted()).toEqual([...Array(3).fill(expected), ...Array(3).fill(nothing)].toSorted());
  },
);
