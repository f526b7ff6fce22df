import { createServer } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { createHttpSender } from "./http-sender.ts";

test("each address of an endpoint has four seconds before the next is tried", async () => {
  const server = createServer((_, response) => response.writeHead(204).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const told = vi.spyOn(Socket.prototype, "connect");
  const sender = createHttpSender({
    resolver: { resolve: async () => [{ address: "127.0.0.1", family: 4 }] },
  });
  const outcome = await sender.post({
    url: `http://hook.example:${port}/`,
    headers: {},
    body: "{}",
    timeoutMs: 3_600_000,
    allowPrivate: true,
  });
  expect(outcome).toMatchObject({ kind: "response", status: 204 });
  expect(told.mock.calls.flat(2)).toContainEqual(
    expect.objectContaining({ autoSelectFamilyAttemptTimeout: 4000 }),
  );
  await sender.close();
  await new Promise((resolve) => server.close(resolve));
});
