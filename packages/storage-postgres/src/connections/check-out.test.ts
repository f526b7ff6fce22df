import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../test/eventually.ts";
import { checkOut } from "./check-out.ts";
import { defaultTimeouts } from "./timeouts.ts";

/** AuthenticationOk and ReadyForQuery. */
const welcome = Buffer.from("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", "latin1");

test("a connection that is reset as soon as it is open is lost, and no error that nobody catches", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(welcome);
      socket.resetAndDestroy();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const pool = new pg.Pool({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, user: "u" });
  // As our own pools set their connections, and as hosts do: the write fails at once.
  pool.on("connect", (client) => void client.query("set array_nulls to on").catch(() => {}));
  const { isLost, release } = await checkOut(pool, defaultTimeouts);
  await eventually(isLost);
  release();
  expect(pool.totalCount).toBe(0);
  await pool.end();
  server.close();
});

test("whoever waits for a client while the process stands still gets the one that came meanwhile", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const pool = new pg.Pool({ max: 1 });
  const { promise: client, resolve: release } = Promise.withResolvers<pg.PoolClient>();
  vi.spyOn(pool, "totalCount", "get").mockReturnValue(1);
  vi.spyOn(pool, "connect").mockImplementation((give: TakeClient) => {
    void client.then((free) => give(undefined, free, () => {}));
  });
  const taking = checkOut(pool, defaultTimeouts);
  // Node runs the timers that are due before it reads the answer that frees the client.
  vi.runOnlyPendingTimers();
  const free = Object.assign(new pg.Client(), { release() {} });
  release(free);
  expect((await taking).client).toBe(free);
});

type TakeClient = (error: undefined, client: pg.PoolClient, done: () => void) => void;
