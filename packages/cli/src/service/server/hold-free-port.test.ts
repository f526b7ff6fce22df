import { connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { holdFreePort } from "./hold-free-port.ts";

test("a held port is free at once when released, though somebody has connected to it", async () => {
  const { port, release } = await holdFreePort("127.0.0.1");
  const early = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => {});
  onTestFinished(() => void early.destroy());
  await new Promise((resolve) => early.once("connect", resolve));
  await release();
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  expect(server.listening).toBe(true);
});
