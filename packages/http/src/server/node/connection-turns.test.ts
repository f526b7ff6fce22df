import { once } from "node:events";
import type { RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { createBoundedServer } from "./bounded-server.ts";
import { createConnectionTurns } from "./connection-turns.ts";

/** Sends requests together to a server that hands each to `answer` in turn; returns the paths it was asked, and its answers. */
async function send(requests: string, answer: RequestListener) {
  const asked: (string | undefined)[] = [];
  const takeTurn = createConnectionTurns();
  const { server, stop } = createBoundedServer(100, (request, response) =>
    takeTurn(request, response, () => {
      asked.push(request.url);
      request.resume();
      answer(request, response);
    }),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let answers = "";
  socket.on("data", (chunk: Buffer) => {
    answers += chunk.toString("latin1");
  });
  socket.write(requests);
  await once(socket, "close");
  await stop({ timeoutMs: 0 });
  return { asked, answers };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

test("no request is worked on behind an answer that closes its connection", async () => {
  const { asked } = await send(`${get("/1")}${get("/last")}${get("/3")}${get("/4")}`, (request, response) => {
    if (request.url === "/last") response.shouldKeepAlive = false;
    response.end();
  });
  expect(asked).toEqual(["/1", "/last"]);
});

test("a request of HTTP/1.0 in chunks is the last of its connection", async () => {
  const head = "POST /chunks HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n";
  const { asked, answers } = await send(`${head}1\r\nx\r\n0\r\n\r\n${get("/inside")}`, (_, response) =>
    response.end(),
  );
  expect(asked).toEqual(["/chunks"]);
  expect(answers).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is);
});
