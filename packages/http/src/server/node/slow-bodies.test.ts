import { EventEmitter, once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { createBoundedServer } from "./bounded-server.ts";
import { openBody } from "./read-body.ts";

/** Starts a server that allows the body of a request 10 ms, and reads it once `isReady` resolves. */
async function start(
  isReady: (timedOut: Promise<unknown>) => Promise<unknown>,
  onRead: (length: number) => void = () => {},
): Promise<number> {
  const { server, stop } = createBoundedServer(100, async (request, response) => {
    let length = 0;
    try {
      // Only now, as a busy machine may need longer until the head has arrived.
      server.headersTimeout = 10;
      server.requestTimeout = 10;
      await isReady(once(server, "clientError"));
      for await (const chunk of openBody(request, () => {})) {
        length += chunk.length;
        onRead(length);
      }
      response.end(String(length));
    } catch {
      // The body broke off.
    }
  });
  server.listen(0, "127.0.0.1");
  onTestFinished(() => stop({ timeoutMs: 0 }));
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

test("a body that the server itself reads slowly is read to its end", async () => {
  const port = await start((timedOut) => timedOut);
  // More than is read ahead, and little enough to be read within one look at whether the caller keeps the server waiting.
  const body = "x".repeat(1_000_000);
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body });
  expect([response.status, await response.text()]).toEqual([200, "1000000"]);
});

test("a body that its caller sends slowly is refused", async () => {
  const head = Promise.withResolvers<void>();
  let timedOut: Promise<unknown> | undefined;
  const port = await start(async (late) => {
    timedOut = late;
    head.resolve();
  });
  const socket = connect(port, "127.0.0.1");
  const answer = text(socket);
  socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nx");
  await head.promise;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await timedOut;
  vi.advanceTimersByTime(12_000);
  vi.useRealTimers();
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
});

test("a body that comes over a slow line is read to its end", async () => {
  const piece = "x".repeat(32 * 1024);
  const arrived = new EventEmitter();
  let timedOut: Promise<unknown> | undefined;
  const port = await start(
    async (late) => {
      timedOut = late;
      arrived.emit("head");
    },
    (length) => length % piece.length === 0 && arrived.emit("piece"),
  );
  const socket = connect(port, "127.0.0.1");
  const answer = text(socket);
  const head = once(arrived, "head");
  socket.write(
    `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${6 * piece.length}\r\n\r\n`,
  );
  await head;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await timedOut;
  // Longer than it takes to refuse one whose caller is silent.
  for (let at = 0; at < 6; at += 1) {
    const next = once(arrived, "piece");
    socket.write(piece);
    await Promise.race([next, answer]);
    vi.advanceTimersByTime(2_000);
  }
  vi.useRealTimers();
  expect(await answer).toMatch(/^HTTP\/1\.1 200 .*196608/s);
});
