import type { Socket } from "node:net";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { testPostgresUrl } from "../../test/open-test-storage.ts";
import { gatherWrites } from "./gather-writes.ts";

const connect = async () => {
  const client = new pg.Client({ connectionString: await testPostgresUrl(), pipeline: true });
  await client.connect();
  onTestFinished(() => client.end());
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  return { client, writes: [vi.spyOn(stream, "_write"), vi.spyOn(stream, "_writev" as "_write")] };
};

test("statements sent in one turn are written to the socket at once, and each is answered", async () => {
  const { client, writes } = await connect();
  const gather = gatherWrites(client);
  const ask = async (number: number) => {
    gather();
    return (await client.query("select $1::int as number", [number])).rows;
  };
  const written = () => writes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  expect(await Promise.all([ask(1), ask(2), ask(3)])).toEqual([
    [{ number: 1 }],
    [{ number: 2 }],
    [{ number: 3 }],
  ]);
  expect(written()).toBe(1);
  expect(await ask(4)).toEqual([{ number: 4 }]);
  expect(written()).toBe(2);
});
