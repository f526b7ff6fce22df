import { expect, test } from "vitest";
import { openCommandWorld } from "./command-world.ts";
import { runCommand } from "./run-command.ts";

test("the queue's status and the list of migrations have times as all tables have them", async () => {
  const { cwd } = await openCommandWorld();
  const table = async (...args: string[]): Promise<string> =>
    (await runCommand([...args, "--format", "table"], { cwd })).stdout;
  expect(await table("migrate", "--status")).toMatch(/ {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}this version/);
  await table("queue", "pause");
  expect(await table("queue", "status")).toMatch(/since \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ: paused by/);
});
