import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
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

test("connections without a whole request give way to new ones, the oldest first", async () => {
  const { server, stop } = createBoundedServer(3, (_, response) => void response.end("served"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const open = async (sent: string): Promise<Socket> => {
    const accepted = once(server, "connection");
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    await accepted;
    socket.write(sent);
    return socket;
  };
  const asked = await open("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(asked, "data");
  const [silent, slow] = [await open(""), await open("GET / HTTP/1.1\r\nHost: a\r\nX-")];
  const gone = once(silent.resume(), "close");
  const next = await open("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  expect(await text(next)).toMatch(/^HTTP\/1\.1 200 .*served$/s);
  await gone;
  slow.write("A: b\r\nConnection: close\r\n\r\n");
  expect(await text(slow)).toMatch(/^HTTP\/1\.1 200 .*served$/s);
  expect(asked.destroyed).toBe(false);
  await stop({ timeoutMs: 0 });
});
