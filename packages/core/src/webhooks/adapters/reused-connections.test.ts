import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createHttpSender } from "./http-sender.ts";

/** Starts an endpoint that keeps connections, and answers by the number of the connection and of its request. */
async function serve(answer: (response: ServerResponse, connection: number, request: number) => void) {
  const sockets: Socket[] = [];
  const requests = new Map<Socket, number>();
  const server = createServer((request, response) => {
    const { socket } = request;
    const count = (requests.get(socket) ?? 0) + 1;
    requests.set(socket, count);
    answer(response, sockets.indexOf(socket), count);
  });
  server.keepAliveTimeout = 0;
  server.on("connection", (socket: Socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sender = createHttpSender({ idleMs: 3_600_000 });
  onTestFinished(async () => {
    await sender.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    async post() {
      const answer = await sender.post({
        ...{ url, headers: {}, body: "{}" },
        ...{ timeoutMs: 3_600_000, allowPrivate: true },
      });
      // undici has the connection for another request only in the next turn.
      await setImmediate();
      return answer;
    },
    close: () => sender.close(),
    requestsOf: () => sockets.map((socket) => requests.get(socket)),
  };
}

test.each(["resetAndDestroy", "destroy"] as const)(
  "a connection that was closed while unused, by %s, costs no attempt: the request goes on another",
  async (close) => {
    const { post, requestsOf } = await serve((response, connection, request) => {
      if (connection === 0 && request === 2) response.socket?.[close]();
      else response.end("ok");
    });
    expect(await post()).toMatchObject({ status: 200 });
    expect(await post()).toMatchObject({ status: 200, body: "ok" });
    expect(requestsOf()).toEqual([2, 1]);
  },
);

test("an endpoint that closes every connection is posted to twice at most", async () => {
  const { post, requestsOf } = await serve((response, connection) => {
    if (connection === 0 && requestsOf()[0] === 1) response.end();
    else response.socket?.destroy();
  });
  expect(await post()).toMatchObject({ status: 200 });
  expect(await post()).toMatchObject({ fault: "reset" });
  expect(requestsOf()).toEqual([2, 1]);
});

test.each([
  ["a new connection", "", 1],
  ["a connection with a part of the response", "HTTP/1.1 2", 2],
] as const)("what closes %s is a failed attempt", async (_, part, last) => {
  const { post, requestsOf } = await serve((response, _connection, request) => {
    if (request < last) response.end();
    else response.socket?.end(part);
  });
  for (let before = 1; before < last; before += 1) expect(await post()).toMatchObject({ status: 200 });
  expect(await post()).toMatchObject({ kind: "fault" });
  expect(requestsOf()).toEqual([last]);
});

test("connections are closed once the posts under way are answered", async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  const { post, close } = await serve((response) => arrived.resolve(response));
  const answer = post();
  const response = await arrived.promise;
  const closed = close();
  response.end("late");
  expect(await answer).toMatchObject({ status: 200, body: "late" });
  await closed;
});
