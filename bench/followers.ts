/**
 * What followers of the event stream cost those who send: e-mails accepted per second by one server while so many
 * readers follow everything, or a workspace in which nothing happens.
 *
 * node --conditions=posthorn-source bench/followers.ts [seconds] [rounds] [database URL]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, requestFile } from "./load-request.ts";
import { type Child, startChild } from "./processes.ts";
import { median, report, round } from "./table.ts";

const connections = 64;

/** The readers: how many, and what they follow. Workspace 1 is the one that nobody sends for. */
const crowds = [
  { name: "nobody", count: 0, filter: "" },
  { name: "50 of a quiet workspace", count: 50, filter: "workspace_id=1" },
  { name: "200 of a quiet workspace", count: 200, filter: "workspace_id=1" },
  { name: "1,000 of a quiet workspace", count: 1_000, filter: "workspace_id=1" },
  { name: "1 of everything", count: 1, filter: "" },
  { name: "50 of everything", count: 50, filter: "" },
  { name: "200 of everything", count: 200, filter: "" },
  { name: "1,000 of everything", count: 1_000, filter: "" },
];

export async function run(seconds = 4, rounds = 2, url?: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-bench-"));
  const server = startChild("servers/posthorn.ts", url ?? `sqlite:${join(folder, "posthorn.db")}`);
  try {
    const { port, key } = await server.next<{ port: number; key: string }>();
    const file = requestFile(folder, "send", { path: "/api/v1/emails/send-template", key });
    await load(port, file, { connections, seconds: 1 });
    const taken = crowds.map(() => ({ rates: [] as number[], cpu: [] as number[], read: [] as number[] }));
    for (let turn = 0; turn < rounds; turn += 1) {
      for (const [at, crowd] of crowds.entries()) {
        const { rate, cpu, read } = await measure(server, { port, file, seconds, ...crowd });
        taken[at]?.rates.push(rate);
        taken[at]?.cpu.push(cpu);
        taken[at]?.read.push(read);
      }
    }
    const alone = median(taken[0]?.rates ?? []);
    report(
      "followers of the event stream",
      crowds.map(({ name }, at) => {
        const { rates = [], cpu = [], read = [] } = taken[at] ?? {};
        return {
          readers: name,
          "accepted a second": round(median(rates)),
          "of alone": round(median(rates) / alone, 2),
          "CPU µs": round(median(cpu)),
          "events read": round(median(read)),
        };
      }),
      {},
    );
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Crowd {
  port: number;
  file: string;
  seconds: number;
  count: number;
  filter: string;
}

async function measure(server: Child, { port, file, seconds, count, filter }: Crowd) {
  const readers = count === 0 ? undefined : startChild("stream-readers.ts", `${port}`, `${count}`, filter);
  try {
    await readers?.next();
    const before = await cpuOf(server);
    const { perSecond: rate, statuses } = await load(port, file, { connections, seconds });
    const accepted = Object.values(statuses).reduce((sum, one) => sum + one, 0);
    const cpu = ((await cpuOf(server)) - before) / accepted;
    readers?.process.kill("SIGUSR2");
    return { rate, cpu, read: (await readers?.next<{ events: number }>())?.events ?? 0 };
  } finally {
    await readers?.stop();
  }
}

async function cpuOf(child: Child): Promise<number> {
  child.process.kill("SIGUSR2");
  return (await child.next<{ cpu: number }>()).cpu;
}

if (import.meta.main) {
  const [seconds, rounds, url] = process.argv.slice(2);
  await run(Number(seconds ?? 4), Number(rounds ?? 2), url);
}
