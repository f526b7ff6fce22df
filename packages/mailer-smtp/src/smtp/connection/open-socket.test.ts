import { type AddressInfo, createServer as createNetServer, Socket } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { expect, test, vi } from "vitest";
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
      tls: () => ({ ca: testCertificate.cert }),
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

test("a server that closes the connection at once is not taken for one at a private address", async () => {
  // As after a reset: the socket is connected, and has no address any more.
  const connecting = vi.spyOn(Socket.prototype, "connect").mockImplementation(function (this: Socket) {
    setImmediate(() => this.emit("connect"));
    return this;
  });
  const opening = openSocket(
    {
      ...{ host: "8.8.8.8", port: 587, security: "none", checksCertificate: true, clientName: "localhost" },
      resolver: { resolve: async () => [] },
      publicOnly: true,
    },
    30_000,
  );
  await expect(opening).rejects.toMatchObject({
    kind: "network",
    message: "could not connect to 8.8.8.8:587: the connection was closed",
  });
  connecting.mockRestore();
});

test("each address has four seconds, or half of a shorter time-out, before the next is tried", async () => {
  const server = createNetServer((socket) => socket.on("error", () => {}).resume());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const told = vi.spyOn(Socket.prototype, "connect");
  for (const timeout of [30_000, 3000]) {
    const socket = await openSocket(
      {
        ...{ host: "mx.example", port, security: "none", checksCertificate: true, clientName: "localhost" },
        resolver: { resolve: async () => [{ address: "127.0.0.1", family: 4 }] },
        publicOnly: false,
      },
      timeout,
    );
    socket.destroy();
  }
  const patience = told.mock.calls.flat(2).flatMap((given) => Object(given).autoSelectFamilyAttemptTimeout);
  expect(patience.filter((ms) => ms !== undefined)).toEqual([4000, 1500]);
  await new Promise((resolve) => server.close(resolve));
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const socket = await openSocket(
    {
      ...{ host: "localhost.", port, security: "tls", checksCertificate: true, clientName: "localhost" },
      tls: () => ({ ca: testCertificate.cert }),
      resolver: { resolve: async () => [{ address: "127.0.0.1", family: 4 }] },
      publicOnly: false,
    },
    30_000,
  );
  socket.destroy();
  expect(asked).toEqual(["localhost"]);
  await new Promise((resolve) => server.close(resolve));
});
