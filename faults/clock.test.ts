import { chmodSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../packages/cli/test/run-command.ts";
import { runOnce } from "../packages/storage-postgres/test/open-test-storage.ts";
import { openFaultWorld, times } from "./open-fault-world.ts";
import { startCluster } from "./start-cluster.ts";

const library = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1")[0];

interface SteppedClock {
  /** Environment of a process that goes by this clock. */
  env: Record<string, string>;
  /** Sets it that many seconds ahead of the machine's. */
  step(seconds: number): void;
}

/** Makes a clock that steps at will. The monotonic one stays, as it does on a machine. */
function makeClock(preload: string, seconds = 0): SteppedClock {
  const folder = makeFolder();
  const file = join(folder, "offset");
  const step = (by: number): void => writeFileSync(file, `${by < 0 ? "" : "+"}${by}s\n`);
  step(seconds);
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  return {
    step,
    env: {
      LD_PRELOAD: preload,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
  };
}

/** Offsets of the machine's clock in seconds, one after the other. */
const steps = [0, 600, -600, 3_600, -3_600, 86_400, -86_400, 0];

test("the clock steps by minutes, hours and a day: nothing stalls or is sent twice", async (context) => {
  if (library === undefined) return context.skip("libfaketime is not installed");
  const world = await openFaultWorld();
  const { env, step } = makeClock(library);
  const served = await world.serve({ env });
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

const hour = 3_600;
const day = 24 * hour;
const limit = 20;
/** Seconds after which every process has asked for the database's time again. */
const askedAfter = 6;

test("three machines' clocks are hours apart, one of them and the database's step: a quota stays exact", async (context) => {
  if (library === undefined) return context.skip("libfaketime is not installed");
  // The database's clock begins ten minutes past an hour.
  const begin = 600 - (Math.floor(Date.now() / 1_000) % hour);
  const database = makeClock(library, begin);
  const cluster = await startCluster({ folder: join(makeFolder(), "data"), env: database.env });
  const world = await openFaultWorld({ databaseUrl: cluster.url });
  const { posthorn, workspaceId } = world;
  const plan = await posthorn.plans.create({ name: "Free", hourlyRateLimit: limit });
  await posthorn.plans.assignToWorkspace({ workspaceId, planId: plan.id });
  const machines = [-hour, hour, 0].map((seconds) => makeClock(library, seconds));
  const served = await Promise.all(machines.map(({ env }) => world.serve({ env })));
  const race = async (count: number): Promise<number> => {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, at) => served[at % served.length]?.send()),
    );
    // A busy machine answers some of a hundred at once with 503, and records nothing of them.
    expect(answers.filter((status) => status !== 202 && status !== 429 && status !== 503)).toEqual([]);
    return answers.filter((status) => status === 202).length;
  };
  const pass = (seconds: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

  expect(await times(limit - 1, () => race(1))).toEqual(Array(limit - 1).fill(1));
  expect(await race(100)).toBe(1);
  for (const seconds of [day, -day, hour]) {
    machines[2]?.step(seconds);
    expect(await race(30), `after a step of a machine's clock to ${seconds} s`).toBe(0);
  }
  // To a few seconds before the full hour, and over it.
  database.step(begin + hour - 600 - askedAfter - 4);
  await pass(askedAfter);
  let accepted = 0;
  for (const from = performance.now(); performance.now() - from < 10_000; ) accepted += await race(6);
  expect(accepted).toBe(limit);
  const { lost, ghosts } = await world.settled();
  expect({ lost, ghosts }).toEqual({ lost: [], ghosts: [] });
  const rows = await runOnce(
    cluster.url,
    `select count(*)::int as mails, min(o.settled_at - e.created_at) >= 0 as "isInOrder"
    from posthorn.emails e join posthorn.email_outcomes o on o.email_id = e.id
    group by e.created_at / 3600000`,
  );
  expect(rows).toEqual(Array(2).fill({ mails: limit, isInOrder: true }));
  database.step(begin);
  expect(await race(30)).toBe(0);
  await pass(askedAfter);
  expect(await race(30)).toBe(0);
  for (const one of served) await one.stop();
  context.task.meta.figures = `${limit} e-mails in each of two hours through three processes, none more`;
});
