import { once } from "node:events";
import { createServer, get, IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import type { StreamSink } from "../../contract/wire-request.ts";
import { createReplyWriter } from "./write-reply.ts";

const body = Buffer.alloc(5 * 64 * 1024);

/** A response whose socket takes all of it at once, as a system with large buffers does. */
function makeResponse(): ServerResponse {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const taken = new PassThrough({ highWaterMark: 2 * body.length });
  response.assignSocket(Object.assign(taken, { bytesWritten: 0 }) as unknown as Socket);
  // As Node's server does.
  return response.on("finish", () => response.emit("close"));
}

test("a long response that waits for its turn to be written holds no memory that it is cut off for", async () => {
  const writeReply = createReplyWriter({ writeTimeoutMs: 30_000, maxUnreadBytes: 16 * 64 * 1024 });
  const responses = Array.from({ length: 64 }, makeResponse);
  for (const response of responses) writeReply(response, { status: 200, headers: {}, body });
  await expect.poll(() => responses.every((each) => each.writableEnded || each.destroyed)).toBe(true);
  expect(responses.filter((each) => each.destroyed).length).toBe(0);
});

/** Requests a file over HTTP, with another response beside it that nobody reads. */
async function requestFile(chunks: AsyncIterable<Uint8Array>, writeTimeoutMs: number) {
  const writeReply = createReplyWriter({ writeTimeoutMs, maxUnreadBytes: 1_000_000_000 });
  const unread = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    if (request.url === "/unread") response.on("close", unread.resolve);
    const large = Buffer.alloc(request.url === "/unread" ? 32 * 1024 * 1024 : 0);
    const reply = { status: 200, headers: {}, body: large };
    writeReply(response, request.url === "/unread" ? reply : { ...reply, chunks });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  const ask = async (path: string) => {
    const request = get({
      host: "127.0.0.1",
      port: (server.address() as AddressInfo).port,
      path,
      agent: false,
    });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    request.on("error", () => {});
    return response.on("error", () => {});
  };
  const file = await ask("/file");
  await ask("/unread");
  return { file, unreadEnds: unread.promise };
}

test("a file is not cut off while its next bytes are looked for, however long that takes", async () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    now += 11;
    return now;
  });
  onTestFinished(() => clock.mockRestore());
  const { promise: isFound, resolve: find } = Promise.withResolvers<void>();
  const { file, unreadEnds } = await requestFile(
    (async function* () {
      yield Buffer.from("first, ");
      await isFound;
      yield Buffer.from("last");
    })(),
    10,
  );
  // In each look at both, the file's turn comes first.
  await unreadEnds;
  find();
  expect(await text(file)).toBe("first, last");
});

test("the head of a file is sent as soon as a look found nothing, not with the first that is found", async () => {
  const { promise: hasHead, resolve: begin } = Promise.withResolvers<void>();
  const { file } = await requestFile(
    (async function* () {
      yield Buffer.alloc(0);
      await hasHead;
      yield Buffer.from("found");
    })(),
    30_000,
  );
  begin();
  expect(await text(file)).toBe("found");
});

test("a file in which nothing is found is no longer looked through once its reader has left", async () => {
  const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>();
  const { file } = await requestFile(
    (async function* () {
      try {
        yield Buffer.from("first");
        for (;;) {
          await setImmediate();
          yield Buffer.alloc(0);
        }
      } finally {
        leave();
      }
    })(),
    30_000,
  );
  file.destroy();
  await expect(isLeft).resolves.toBeUndefined();
});

test("a stream of events does not begin in a response that the host has begun, such as at its time-out", () => {
  const writeReply = createReplyWriter({ writeTimeoutMs: 30_000, maxUnreadBytes: 1_000_000 });
  const response = makeResponse();
  response.writeHead(503).write("The host gave up.");
  const isAborted: boolean[] = [];
  const stream = ({ signal }: StreamSink): void => void isAborted.push(signal.aborted);
  writeReply(response, { status: 200, headers: {}, body: "", stream });
  expect(isAborted).toEqual([true]);
});
