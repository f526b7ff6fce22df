import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../test/start-server.ts";
import { toNodeHandler } from "./node.ts";

test("events stream over HTTP/2, without a warning of headers that only HTTP/1 has", async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const { token } = await server.logIn({ admin: true });
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => warnings.push(name);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  const handler = toNodeHandler(server.world.posthorn);
  const host = createServer((request, response) =>
    handler(request as unknown as IncomingMessage, response as unknown as ServerResponse),
  ).listen(0, "127.0.0.1");
  await once(host, "listening");
  const session = connect(`http://127.0.0.1:${(host.address() as AddressInfo).port}`);
  const stream = session.request({
    ":path": "/api/v1/admin/events/stream",
    authorization: `Bearer ${token}`,
  });
  const [headers] = await once(stream, "response");
  expect(headers).toMatchObject({ ":status": 200, "content-type": "text/event-stream" });
  // An iterator keeps what arrives while the request is awaited.
  const pieces = stream[Symbol.asyncIterator]();
  await pieces.next();
  await server.ask("POST /admin/plans", { token, body: { name: "Free" } });
  let received = "";
  for (let piece = await pieces.next(); piece.done !== true; piece = await pieces.next()) {
    received += String(piece.value);
    if (received.includes("plan.created")) break;
  }
  expect(received).toContain("plan.created");
  handler.close();
  session.close();
  host.close();
  await once(host, "close");
  expect(warnings).toEqual([]);
});
