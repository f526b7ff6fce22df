import { connect } from "node:net";
import { silentLogger } from "@posthorn/core/internal";
import { createWorld } from "@posthorn/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { listenForReports } from "./inbound-listener.ts";

async function openPort(): Promise<number> {
  const world = await createWorld(await openTestSqlite(), { returnPathDomain: "bounces.example" });
  onTestFinished(() => world.close());
  const settings = { name: "mx.bounces.example", port: 0, host: "127.0.0.1", logger: silentLogger };
  const listener = await listenForReports({ inbound: world.posthorn.inbound }, settings);
  onTestFinished(() => listener.close());
  return listener.port;
}

/**
 * Connects from an address of loopback, and does not hang up. Resolves to the socket and the server's first words, none if
 * it closes without one.
 */
async function greeted(port: number, localAddress = "127.0.0.1") {
  const socket = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: true }).setEncoding(
    "latin1",
  );
  onTestFinished(() => void socket.destroy());
  const greeting = await new Promise<string>((resolve) => {
    socket.once("data", (words) => resolve(String(words)));
    // Closed without a word, it may be told as reset.
    for (const event of ["error", "end", "close"]) socket.once(event, () => resolve(""));
  });
  return { socket, greeting };
}

test("gives one client a quarter of all connections, and others the rest", async () => {
  const port = await openPort();
  const [first] = await Promise.all(Array.from({ length: 25 }, () => greeted(port)));
  expect((await greeted(port)).greeting).toMatch(/^421 mx.bounces.example too many connections/);
  expect((await greeted(port, "127.0.0.2")).greeting).toMatch(/^220 /);
  first?.socket.destroy();
  await expect.poll(async () => (await greeted(port)).greeting).toMatch(/^220 /);
});

test("keeps no more sockets of a client that is refused and does not hang up than it serves", async () => {
  const port = await openPort();
  const all = await Promise.all(Array.from({ length: 60 }, () => greeted(port)));
  const counts = Object.groupBy(all, ({ greeting }) => greeting.slice(0, 3) || "nothing");
  expect([counts["220"]?.length, counts["421"]?.length, counts["nothing"]?.length]).toEqual([25, 25, 10]);
  expect((await greeted(port, "127.0.0.2")).greeting).toMatch(/^220 /);
});
