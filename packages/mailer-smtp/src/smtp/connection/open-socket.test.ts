import { once } from "node:events";
import { type AddressInfo, connect, createServer as createNetServer } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { testCertificate } from "../../../test/test-certificate.ts";
import { openSocket } from "./open-socket.ts";

/** Opens a connection to a TLS server that talks as given; returns its error. */
const errorFrom = async (
  talk: (socket: TLSSocket) => void,
  provoke: (socket: Awaited<ReturnType<typeof openSocket>>) => void = () => {},
): Promise<unknown> => {
  const server = createServer({ ...testCertificate, maxVersion: "TLSv1.2" }, (socket) => {
    socket.on("error", () => {}).resume();
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const socket = await openSocket(
    {
      host: "127.0.0.1",
      port,
      security: "tls",
      checksCertificate: true,
      tls: { ca: testCertificate.cert },
      resolver: { resolve: async () => [] },
      clientName: "localhost",
      publicOnly: false,
    },
    30_000,
  );
  const failed = new Promise((resolve) => socket.once("error", resolve));
  provoke(socket);
  const error = await failed;
  await new Promise((resolve) => server.close(resolve));
  return error;
};

const withoutEnd = { message: expect.stringContaining("handshakes or session tickets without end") };

test("a server that sends session tickets without end is disconnected", async () => {
  const provoke = (socket: { emit(event: "session", ticket: Buffer): boolean }) => {
    for (let ticket = 0; ticket < 40; ticket += 1) socket.emit("session", Buffer.alloc(1));
  };
  expect(await errorFrom(() => {}, provoke)).toMatchObject(withoutEnd);
});

test("a server that renegotiates without end is disconnected", async () => {
  const again = (socket: TLSSocket): void => {
    if (!socket.destroyed) socket.renegotiate({}, () => again(socket));
  };
  expect(await errorFrom(again)).toMatchObject(withoutEnd);
});

test("a server on a port without TLS, and one that refuses at each address, are told of in words", async () => {
  const plain = createNetServer((socket) =>
    socket
      .on("error", () => {})
      .resume()
      .end("220 mx.example ESMTP\r\n"),
  );
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
  const { port } = plain.address() as AddressInfo;
  const at = (...addresses: string[]): Promise<unknown> =>
    openSocket(
      {
        ...{ host: "mx.example", port, security: "tls", checksCertificate: true, clientName: "localhost" },
        resolver: { resolve: async () => addresses.map((address) => ({ address, family: 4 })) },
        publicOnly: false,
      },
      30_000,
    );
  await expect(at("127.0.0.1")).rejects.toThrow("it answers in the clear (wrong version number)");
  await new Promise((resolve) => plain.close(resolve));
  await expect(at("127.0.0.1", "127.0.0.2")).rejects.toThrow(
    `could not connect to mx.example:${port}: connect ECONNREFUSED 127.0.0.1:${port}; connect ECONNREFUSED 127.0.0.2:${port}`,
  );
});

test("an address that takes long to connect is not given up for another that refuses", async () => {
  // The thread stands still, and connections beyond its backlog are not answered; after the first is gone, the system's second try is.
  const stands = new Int32Array(new SharedArrayBuffer(4));
  const wake = () => {
    Atomics.store(stands, 0, 1);
    Atomics.notify(stands, 0);
  };
  const server = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
    const server = require("node:net").createServer((socket) => socket.on("error", () => {}).resume());
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      setImmediate(() => Atomics.wait(workerData, 0, 0));
    });`,
    { eval: true, workerData: stands },
  );
  const [port] = (await once(server, "message")) as [number];
  const others = [1, 2].map(() => connect(port, "127.0.0.1"));
  await Promise.all(others.map((other) => once(other, "connect")));
  const opening = openSocket(
    {
      ...{ host: "mx.example", port, security: "none", checksCertificate: true, clientName: "localhost" },
      resolver: {
        resolve: async () => [
          { address: "127.0.0.1", family: 4 },
          { address: "127.0.0.2", family: 4 },
        ],
      },
      publicOnly: false,
    },
    30_000,
    () => setTimeout(wake),
  );
  const socket = await opening;
  expect(socket.remoteAddress).toBe("127.0.0.1");
  for (const one of [socket, ...others]) one.destroy();
  await server.terminate();
});
