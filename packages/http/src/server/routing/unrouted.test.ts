import { expect, test } from "vitest";
import { serveOwner, server } from "../../../test/dispatching.ts";
import { rawRequest } from "../../../test/raw-request.ts";
import { createDispatcher } from "../dispatch.ts";

serveOwner();

test("a URL that is too long is refused with the bound", async () => {
  const long = `GET /${"a".repeat(9000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  const answer = await rawRequest(server.port, long);
  expect(JSON.parse(answer.slice(answer.indexOf("{")))).toMatchObject({
    error: { code: "payload_too_large", message: "The URL has more than 8192 characters." },
  });
});

test.each([
  ["PUT /u/token", "GET, HEAD, POST, OPTIONS", "The path takes GET or POST only."],
  ["POST /c/token", "GET, HEAD, OPTIONS", "The path takes GET only."],
  ["DELETE /o/token.gif", "GET, HEAD, OPTIONS", "The path takes GET only."],
  ["POST /app/reset-password", "GET, HEAD, OPTIONS", "The path takes GET only."],
])("%s, the path of a link in an e-mail, is a 405", async (line, allow, message) => {
  const [method, path] = line.split(" ");
  const answer = await fetch(`${server.url}${path}`, { method: method ?? "" });
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
  expect(await answer.json()).toMatchObject({ error: { code: "method_not_allowed", message } });
  const { status } = await fetch(`${server.url}${path}`, { method: "OPTIONS" });
  expect(status).toBe(204);
});

test("other methods of a page are left to a host's own routes first", async () => {
  const dispatcher = createDispatcher(server.world.posthorn);
  const reply = await dispatcher.dispatch({
    method: "PUT",
    target: "/c/of-the-host",
    headers: {},
    repeatedAuthorization: false,
    ip: "127.0.0.1",
    readBody: async () => new Uint8Array(),
    openBody: async function* () {},
  });
  expect([reply.status, reply.unrouted]).toEqual([405, true]);
});
