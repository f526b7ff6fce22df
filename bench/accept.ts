/**
 * E-mails accepted per second: `POST /emails/send-template` over 64 keep-alive connections from another process,
 * against bare node:http servers that do one durable insert per request, with a commit for each and with one for all
 * waiting requests.
 *
 * node --conditions=posthorn-source bench/accept.ts [seconds] [rounds]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Load, load, requestFile } from "./load-request.ts";
import { type Child, startChild } from "./processes.ts";
import { median, report, round } from "./table.ts";

const connections = 64;

export async function run(seconds = 4, rounds = 3): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-bench-"));
  const children: Child[] = [];
  try {
    const subjects: {
      name: string;
      port: number;
      file: string;
      child: Child;
      loads: Load[];
      cpu: number[];
    }[] = [];
    for (const mode of ["each", "grouped"]) {
      const child = startChild("servers/bare.ts", mode, join(folder, `${mode}.db`));
      children.push(child);
      const { port } = await child.next<{ port: number }>();
      subjects.push({
        name: `bare, ${mode}`,
        port,
        file: requestFile(folder, mode, { path: "/" }),
        child,
        loads: [],
        cpu: [],
      });
    }
    const child = startChild("servers/posthorn.ts", `sqlite:${join(folder, "posthorn.db")}`);
    children.push(child);
    const { port, key } = await child.next<{ port: number; key: string }>();
    subjects.push({
      name: "posthorn",
      port,
      file: requestFile(folder, "posthorn", { path: "/api/v1/emails/send-template", key }),
      child,
      loads: [],
      cpu: [],
    });
    for (const { port, file } of subjects) await load(port, file, { connections, seconds: 1 });
    for (let turn = 0; turn < rounds; turn += 1) {
      for (const subject of subjects) {
        const before = await cpuOf(subject.child);
        const measured = await load(subject.port, subject.file, { connections, seconds });
        const count = Object.values(measured.statuses).reduce((sum, one) => sum + one, 0);
        subject.loads.push(measured);
        subject.cpu.push(((await cpuOf(subject.child)) - before) / count);
      }
    }
    const rate = (name: string): number =>
      median(subjects.find((one) => one.name === name)?.loads.map((load) => load.perSecond) ?? []);
    report(
      "accept",
      subjects.map(({ name, loads, cpu }) => ({
        server: name,
        "a second": round(median(loads.map((load) => load.perSecond))),
        "p50 ms": round(median(loads.map((load) => load.p50)), 2),
        "p99 ms": round(median(loads.map((load) => load.p99)), 2),
        "CPU µs": round(median(cpu)),
      })),
      {
        ratio_grouped: round(rate("posthorn") / rate("bare, grouped"), 3),
        ratio_each: round(rate("posthorn") / rate("bare, each"), 3),
      },
    );
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function cpuOf(child: Child): Promise<number> {
  child.process.kill("SIGUSR2");
  return (await child.next<{ cpu: number }>()).cpu;
}

if (import.meta.main) await run(Number(process.argv[2] ?? 4), Number(process.argv[3] ?? 3));
