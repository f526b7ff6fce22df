import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createBoundedServer } from "./bounded-server.ts";
import { openBody } from "./read-body.ts";

/** Starts a server that allows the body of a request 10 ms, and reads it once `isReady` resolves. */
async function start(isReady: (timedOut: Promise<unknown>) => Promise<unknown>): Promise<number> {
  const { server, stop } = createBoundedServer(100, async (request, response) => {
    let length = 0;
    try {
      // Only now, as a busy machine may need longer until the head has arrived.
      server.headersTimeout = 10;
      server.requestTimeout = 10;
      await isReady(once(server, "clientError"));
      for await (const chunk of openBody(request, () => {})) length += chunk.length;
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
  const port = await start(async () => {});
  const socket = connect(port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nx");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
});
