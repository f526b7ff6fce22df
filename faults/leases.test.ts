import { expect, test } from "vitest";
import { expectExplained } from "./expect-explained.ts";
import { type FaultWorld, openFaultWorld, type Served, times } from "./open-fault-world.ts";

/** The default of `SERVICE_WORKER_LEASE_SECS`: short leases would hide some faults. */
const env = { SERVICE_WORKER_LEASE_SECS: "30" };
/** Seconds after which all work continues, whichever process ended (reliability.md, promise 3). */
const promised = 45;
/** Ms that a message to or from the mail server takes: a mail needs a dozen of them, or half as many. */
const slow = 700;

/** Starts a server that has mails in progress with a slow mail server. */
async function serveSlowly(world: FaultWorld): Promise<Served> {
  const served = await world.serve({ env });
  world.slowMail(slow);
  expect(await times(40, served.send)).toEqual(Array(40).fill(202));
  const inHand = async () => (await world.posthorn.queueStatus()).leased;
  await expect.poll(inHand, { timeout: 10_000 }).toBeGreaterThan(0);
  return served;
}

/** Lets another worker deliver the rest; returns how many seconds that took, and the outcome of the mails. */
async function deliverRest(world: FaultWorld, since: number): Promise<{ seconds: number; twice: number }> {
  world.slowMail(0);
  const other = await world.serve({ env });
  const { lost, ghosts, twice } = await world.settled();
  expect({ lost, ghosts }).toEqual({ lost: [], ghosts: [] });
  const seconds = (performance.now() - since) / 1_000;
  expect(seconds).toBeLessThan(promised);
  await expectExplained(world);
  await other.stop();
  return { seconds: Math.round(seconds), twice };
}

test("e-mails of a killed process are retried within 45 s, with the default lease", async ({ task }) => {
  const world = await openFaultWorld();
  const served = await serveSlowly(world);
  served.child.kill("SIGKILL");
  const { seconds, twice } = await deliverRest(world, performance.now());
  task.meta.figures = `40 mails: 0 lost, ${twice} twice, all there after ${seconds} s`;
});

test("a stop with slow mail servers takes at most 30 s, however many signals arrive", async ({ task }) => {
  const world = await openFaultWorld();
  const served = await serveSlowly(world);
  const begun = performance.now();
  served.child.kill("SIGTERM");
  setTimeout(() => served.child.kill("SIGTERM"), 500);
  const { code } = await served.ended;
  const stopped = performance.now();
  expect({ code, inTime: stopped - begun < 30_000 }).toEqual({ code: 0, inTime: true });
  const { seconds, twice } = await deliverRest(world, stopped);
  task.meta.figures = `stopped after ${Math.round((stopped - begun) / 1_000)} s; ${twice} twice, all there ${seconds} s later`;
});
