import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { needFile } from "./needs.ts";
import { openFaultWorld } from "./open-fault-world.ts";

/** `FAULTS_SOAK_MINUTES=120` for effects that take hours. */
const minutes = Number(process.env["FAULTS_SOAK_MINUTES"] ?? 1);
const perSecond = 50;

test("steady load: nothing is lost, and memory levels off", {
  timeout: (minutes + 5) * 60_000,
}, async (context) => {
  needFile(context, "/proc/self/status");
  const world = await openFaultWorld();
  const served = await world.serve();
  const memory: number[] = [];
  const sending: Promise<number>[] = [];
  const until = performance.now() + minutes * 60_000;
  for (let next = performance.now(); next < until; next += 1_000) {
    sending.push(...Array.from({ length: perSecond }, served.send));
    memory.push(residentMb(served.child.pid));
    await delay(Math.max(0, next + 1_000 - performance.now()));
  }
  const statuses = await Promise.all(sending);
  const counts = Object.fromEntries(
    [...Map.groupBy(statuses, String)].map(([status, all]) => [status, all.length]),
  );
  expect(counts).toEqual({ 202: statuses.length });
  expect(await world.settled()).toEqual({ lost: [], ghosts: [], twice: 0 });
  await served.stop();
  // After the first third, everything is loaded and compiled.
  const third = Math.floor(memory.length / 3);
  const [middle, last] = [median(memory.slice(third, 2 * third)), median(memory.slice(2 * third))];
  expect(last - middle).toBeLessThan(Math.max(20, minutes / 10));
  context.task.meta.figures = `${statuses.length} mails: 0 lost, 0 twice; ${middle} MB in the middle, ${last} MB at the end`;
});

function residentMb(pid: number | undefined): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
