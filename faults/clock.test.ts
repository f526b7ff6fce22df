import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../packages/cli/test/run-command.ts";
import { openFaultWorld, times } from "./open-fault-world.ts";

const library = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1")[0];

/** Offsets of the machine's clock in seconds, one after the other. */
const steps = [0, 600, -600, 3_600, -3_600, 86_400, -86_400, 0];

test("the clock steps by minutes, hours and a day: nothing stalls or is sent twice", async (context) => {
  if (library === undefined) return context.skip("libfaketime is not installed");
  const world = await openFaultWorld();
  const file = join(makeFolder(), "offset");
  const step = (seconds: number): void => writeFileSync(file, `${seconds < 0 ? "" : "+"}${seconds}s\n`);
  step(0);
  const served = await world.serve({
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
  });
  let slowest = 0;
  for (const seconds of steps) {
    const before = await times(3, served.send);
    step(seconds);
    const after = await times(3, served.send);
    const from = performance.now();
    expect([...before, ...after]).toEqual(Array(6).fill(202));
    const isDelivered = (): boolean => [...world.accepted].every((id) => world.copies.has(id));
    await expect.poll(isDelivered, { timeout: 45_000, message: `after a step to ${seconds} s` }).toBe(true);
    slowest = Math.max(slowest, performance.now() - from);
  }
  await served.stop();
  const { lost, ghosts, twice } = await world.settled();
  expect({ lost, ghosts, twice }).toEqual({ lost: [], ghosts: [], twice: 0 });
  context.task.meta.figures = `${steps.length} steps: all delivered within ${(slowest / 1000).toFixed(1)} s, none twice`;
});
