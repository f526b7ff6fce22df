import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createHttpSender } from "./http-sender.ts";
import { createContinueFilter } from "./interim-responses.ts";

/** Passes the text in pieces of the size and returns what became of it. */
function pass(text: string, size: number): string {
  const filter = createContinueFilter();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    filter.pass(bytes.subarray(at, at + size));
    filter.next();
  }
  return bytes.toString();
}

const final = "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\nHTTP/1.1 100 OK\n";

test.each([1, 2, 3, 7, 1_000])("a 100 becomes a 102, in pieces of %i bytes", (size) => {
  const interim = (status: string) => `HTTP/1.1 ${status}\r\nX: HTTP/1.1 100\r\n\r\n`;
  const before = ["100 Continue", "103 Early Hints", "101 Switching", "110", "100"];
  const after = ["102 Continue", "103 Early Hints", "101 Switching", "110", "102"];
  expect(pass(before.map(interim).join(""), size)).toBe(after.map(interim).join(""));
});

test("a final response and what follows it stay, until the next one begins", () => {
  expect(pass(final, 1_000)).toBe(final);
  const filter = createContinueFilter();
  const [first, second] = [Buffer.from(final), Buffer.from("HTTP/1.0 100 C\r\n\r\n")];
  filter.pass(first);
  filter.next();
  filter.pass(second);
  expect(second.toString()).toBe("HTTP/1.0 102 C\r\n\r\n");
});

test("interim responses, of which none was asked for, are no answer", async () => {
  const interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n".repeat(2);
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    socket.on("data", () => socket.write(`${interim}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const sender = createHttpSender({ idleMs: 3_600_000 });
  onTestFinished(async () => {
    await sender.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const request = { url, headers: {}, body: "{}", timeoutMs: 3_600_000, allowPrivate: true };
  for (let times = 0; times < 3; times += 1)
    expect(await sender.post(request)).toMatchObject({ kind: "response", status: 200, body: "ok" });
  expect(sockets.length).toBeLessThan(3);
});
