import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, createServer, type Settings } from "node:http2";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import type { WireReply } from "../../contract/wire-request.ts";
import { createReplyWriter, type UnreadLimits } from "./write-reply.ts";

/** Requests a response over HTTP/2. A late one is written once its reader has left. */
async function request(
  reply: Partial<WireReply>,
  {
    isLate = false,
    limits = {},
    settings = {},
  }: { isLate?: boolean; limits?: Partial<UnreadLimits>; settings?: Settings } = {},
) {
  const writeReply = createReplyWriter({ writeTimeoutMs: 30_000, maxUnreadBytes: 1_000_000, ...limits });
  const server = createServer((_, response) => {
    const write = () =>
      writeReply(response as unknown as ServerResponse, { status: 200, headers: {}, body: "", ...reply });
    if (isLate) response.on("close", () => setImmediate(write));
    else write();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { settings });
  onTestFinished(() => {
    session.destroy();
    server.close();
  });
  return session.request({ ":path": "/" });
}

test.each<[string, Partial<WireReply>]>([
  [
    "a file that can't be read to its end",
    {
      chunks: (async function* () {
        yield Buffer.from("half");
        throw new Error("no storage");
      })(),
    },
  ],
  [
    "a stream that is cut off",
    {
      stream: (sink) => {
        sink.write("half");
        setImmediate(sink.destroy);
      },
    },
  ],
])("over HTTP/2 the reader of %s gets an error instead of an end", async (_, reply) => {
  const stream = await request(reply);
  stream.resume();
  await expect(once(stream, "end")).rejects.toThrow("NGHTTP2_INTERNAL_ERROR");
});

test("over HTTP/2 a file is no longer read once its reader has left", async () => {
  const { promise: isClosed, resolve: close } = Promise.withResolvers<void>();
  const chunks = async function* () {
    try {
      for (;;) yield Buffer.alloc(65_536);
    } finally {
      close();
    }
  };
  const stream = await request({ chunks: chunks() });
  await once(stream, "response");
  stream.close();
  await expect(isClosed).resolves.toBeUndefined();
});

test("over HTTP/2 a stream whose reader has left before it begins is told so", async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stream = await request({ stream: ({ signal }) => resolve(signal.aborted) }, { isLate: true });
  await once(stream, "ready");
  stream.close();
  expect(await promise).toBe(true);
});

test.each<[string, Partial<UnreadLimits>]>([
  ["after the write time-out", { writeTimeoutMs: 10 }],
  ["when unread responses hold too much memory", { maxUnreadBytes: 100 }],
])("over HTTP/2 a short response that its reader gives no room is cut off %s", async (_, limits) => {
  const stream = await request({ body: "x".repeat(1_000) }, { limits, settings: { initialWindowSize: 0 } });
  await expect(once(stream, "end")).rejects.toThrow("NGHTTP2_INTERNAL_ERROR");
});

test("over HTTP/2 a response is not cut off that only waits for others of its connection", async () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const writeReply = createReplyWriter({ writeTimeoutMs: 10, maxUnreadBytes: 10_000_000 });
  const server = createServer((request, response) => {
    const body = "x".repeat(Number(request.url.slice(1)));
    writeReply(response as unknown as ServerResponse, { status: 200, headers: {}, body });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const open = (settings: Settings) =>
    connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { settings });
  const [slow, stalled] = [open({}), open({ initialWindowSize: 0 })];
  onTestFinished(() => {
    for (const session of [slow, stalled]) session.destroy();
    server.close();
  });
  // Nobody reads these two yet, and each gets no further than its window: 65,535 bytes, and none.
  const waiting = slow.request({ ":path": "/65536" });
  const cutOff = stalled.request({ ":path": "/1" });
  await Promise.all([once(waiting, "response"), once(cutOff, "response")]);
  await text(slow.request({ ":path": "/1000000" }));
  now = 11;
  await expect(once(cutOff, "end")).rejects.toThrow("NGHTTP2_INTERNAL_ERROR");
  expect(await text(waiting)).toHaveLength(65_536);
});
