import { once } from "node:events";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { expect, test } from "vitest";
import { testCertificate } from "../../../../mailer-smtp/test/test-certificate.ts";
import { createHttpSender } from "./http-sender.ts";

test("names what TLS objects to", async () => {
  const server = createServer(testCertificate).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  const sender = createHttpSender();
  const request = { url, headers: {}, body: "", timeoutMs: 3_600_000, allowPrivate: true };
  expect(await sender.post(request)).toMatchObject({ fault: "tls", code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  await sender.close();
  server.close();
});

test("the host of a handshake has no dot at its end, by which servers would not know it (RFC 6066 section 3)", async () => {
  const asked: string[] = [];
  const server = createServer({
    ...testCertificate,
    SNICallback(name, found) {
      asked.push(name);
      found(null);
    },
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const sender = createHttpSender();
  const url = `https://localhost.:${(server.address() as AddressInfo).port}/`;
  await sender.post({ url, headers: {}, body: "", timeoutMs: 3_600_000, allowPrivate: true });
  expect(asked).toEqual(["localhost"]);
  await sender.close();
  server.close();
});

test("an endpoint that answers 101 was heard: it wants another protocol, and did not close the connection", async () => {
  const answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
  const server = createTcpServer((socket) => {
    socket.on("error", () => {}).once("data", () => socket.write(answer));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const sender = createHttpSender();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const answered = await sender.post({
    url,
    headers: {},
    body: "{}",
    timeoutMs: 3_600_000,
    allowPrivate: true,
  });
  expect(answered).toMatchObject({ kind: "fault", fault: "other" });
  await sender.close();
  server.close();
});
