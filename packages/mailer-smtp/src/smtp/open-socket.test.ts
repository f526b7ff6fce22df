import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { expect, test } from "vitest";
import { testCertificate } from "../../test/test-certificate.ts";
import { openSocket } from "./open-socket.ts";

test("a server that sends session tickets without end is disconnected", async () => {
  const server = createServer(testCertificate, (socket) => socket.on("error", () => {}));
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
  for (let ticket = 0; ticket < 40; ticket += 1) socket.emit("session", Buffer.alloc(1));
  expect(await failed).toMatchObject({ message: expect.stringContaining("session tickets") });
  await new Promise((resolve) => server.close(resolve));
});
