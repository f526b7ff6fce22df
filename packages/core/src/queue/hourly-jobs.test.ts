import { expect, test } from "vitest";
import { pass, useFakeTimersForEach } from "../../test/queue-in-memory.ts";
import { silentLogger } from "../ports/logger.ts";
import type { Runtime } from "../service/runtime.ts";
import { createHourlyJobs, type HourlyJob } from "./hourly-jobs.ts";

useFakeTimersForEach();

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Opens the hourly jobs of a process "here", with the times for which jobs were taken, and the errors told. */
function open(...jobs: HourlyJob[]) {
  const holders = new Map<string, string>();
  const taken: [name: string, ms: number][] = [];
  const errors: unknown[] = [];
  const operations: Pick<Runtime["storage"]["operations"], "takeJob" | "endJob"> = {
    async takeJob(name, worker, now, until) {
      if ((holders.get(name) ?? worker) !== worker) return false;
      holders.set(name, worker);
      taken.push([name, until - now]);
      return true;
    },
    async endJob(name, worker) {
      if (holders.get(name) === worker) holders.delete(name);
    },
  };
  const runtime = {
    storage: { operations },
    queueClock: { now: () => Date.now() },
    logger: { ...silentLogger, error: (told: object) => void errors.push(told) },
  } as unknown as Runtime;
  return { hourly: createHourlyJobs(runtime, "here", jobs), holders, taken, errors };
}

test("run a minute after the start and every hour, one after another, whatever fails", async () => {
  const ran: string[] = [];
  const first = Promise.withResolvers<void>();
  const fault = new Error("no disk");
  const { hourly, holders, taken, errors } = open(
    {
      name: "slow",
      async run() {
        ran.push("slow begins");
        await first.promise;
        ran.push("slow ends");
        throw fault;
      },
    },
    { name: "next", run: async () => ran.push("next") },
  );
  hourly.start();
  await pass(minuteMs - 1);
  expect(ran).toEqual([]);
  await pass(1);
  expect(ran).toEqual(["slow begins"]);
  // No second round begins beside one that takes longer than an hour.
  await pass(hourMs);
  expect(ran).toEqual(["slow begins"]);
  first.resolve();
  await pass();
  expect(ran).toEqual(["slow begins", "slow ends", "next"]);
  expect(errors).toEqual([{ err: fault, job: "slow" }]);
  expect([...holders]).toEqual([]);
  await pass(hourMs);
  expect(ran.slice(3)).toEqual(["slow begins", "slow ends", "next"]);
  // While it ran, it was taken for another hour every quarter of one.
  const names = ["slow", "slow", "slow", "slow", "slow", "next", "slow", "next"];
  expect(taken).toEqual(names.map((name) => [name, hourMs]));
  await hourly.stop();
  await pass(2 * hourMs);
  expect(ran).toHaveLength(6);
});

test("leave to another process what it is doing, and do the rest", async () => {
  const ran: string[] = [];
  const { hourly, holders } = open(
    { name: "theirs", run: async () => ran.push("theirs") },
    { name: "ours", run: async () => ran.push("ours") },
  );
  holders.set("theirs", "elsewhere");
  hourly.start();
  await pass(minuteMs);
  expect(ran).toEqual(["ours"]);
  expect([...holders]).toEqual([["theirs", "elsewhere"]]);
  await hourly.stop();
});

test("end early when they are stopped, which waits for the one that is running and begins no other", async () => {
  const ran: string[] = [];
  const { hourly, holders } = open(
    {
      name: "long",
      async run(_, stopped) {
        while (!stopped()) await new Promise((resolve) => setTimeout(resolve, 10));
        ran.push("long");
      },
    },
    { name: "next", run: async () => ran.push("next") },
  );
  hourly.start();
  await pass(2 * minuteMs);
  expect(ran).toEqual([]);
  const stopping = hourly.stop().then(() => ran.push("stopped"));
  await pass(10);
  await stopping;
  expect(ran).toEqual(["long", "stopped"]);
  expect([...holders]).toEqual([]);
});

test("end early when another process has taken them over, whose they then are", async () => {
  const ran: string[] = [];
  const { hourly, holders } = open({
    name: "long",
    async run(_, stopped) {
      while (!stopped()) await new Promise((resolve) => setTimeout(resolve, 1000));
      ran.push("long");
    },
  });
  hourly.start();
  await pass(hourMs);
  expect(ran).toEqual([]);
  // This process stood still for longer than an hour.
  holders.set("long", "elsewhere");
  await pass(hourMs / 4 + 1000);
  expect([ran, [...holders]]).toEqual([["long"], [["long", "elsewhere"]]]);
  await hourly.stop();
});
