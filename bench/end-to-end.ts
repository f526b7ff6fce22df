/**
 * End to end, as a user would run it: the packed packages in an empty folder, `posthorn serve` on its defaults,
 * requests over 64 keep-alive connections, until everything is delivered to postfix's smtp-sink. Beside it, in the same
 * run, a hand-made server on SQLite and pg-boss with nodemailer.
 *
 * node --conditions=posthorn-source bench/end-to-end.ts [seconds] [rounds] [only what has this in its name]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startTestServer } from "../packages/storage-postgres/test/test-server.ts";
import { benchSecretKey } from "./bench-secret-key.ts";
import { installPackages } from "./install-packages.ts";
import { load, requestFile } from "./load-request.ts";
import { makeDatabase } from "./make-database.ts";
import { requestBody } from "./order-mail.ts";
import { cpuOf, memoryOf } from "./process-usage.ts";
import { startChild } from "./processes.ts";
import { startSink } from "./sink.ts";
import { startCommand } from "./start-command.ts";
import { median, report, round } from "./table.ts";

const connections = 64;
const pace = 200;

/** A server to measure. */
interface Subject {
  port: number;
  pid: number;
  path: string;
  key?: string;
  /** Number of mails delivered since its start. */
  delivered(): Promise<number>;
  stop(): Promise<void>;
}

interface Measured {
  accepted: number;
  delivered: number;
  cpu: number;
  p50: number;
  p99: number;
  /** Maximum resident memory, in MB. */
  memory: number;
}

export async function run(seconds = 4, rounds = 1, only = ""): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-bench-"));
  const command = installPackages(folder);
  const sink = await startSink();
  const given = process.env["TEST_POSTGRES_URL"];
  const server =
    given === undefined ? await startTestServer() : { connectionString: given, stop: async () => {} };
  const subjects: Record<string, (turn: number) => Promise<Subject>> = {
    "SQLite, made by hand": (turn) => startHandMade("sqlite", join(folder, `hand-${turn}.db`), sink.port),
    "SQLite, posthorn": (turn) => startPosthorn(command, `sqlite:${join(folder, `${turn}.db`)}`, sink.port),
    "PostgreSQL, pg-boss": async (turn) =>
      startHandMade("pg-boss", await makeDatabase(server.connectionString, `boss_${turn}`), sink.port),
    "PostgreSQL, posthorn": async (turn) =>
      startPosthorn(command, await makeDatabase(server.connectionString, `ours_${turn}`), sink.port),
  };
  const results: Record<string, Measured[]> = {};
  try {
    for (let turn = 0; turn < rounds; turn += 1) {
      for (const [name, start] of Object.entries(subjects).filter(([name]) => name.includes(only))) {
        const subject = await start(turn);
        try {
          results[name] = [...(results[name] ?? []), await measure(subject, folder, seconds)];
        } finally {
          await subject.stop();
        }
      }
    }
    tell(results, sink.name);
  } finally {
    sink.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function tell(results: Record<string, Measured[]>, sink: string): void {
  const of = (name: string, what: keyof Measured): number =>
    median((results[name] ?? []).map((one) => one[what]));
  const ratio = (storage: string, other: string, what: keyof Measured): number =>
    round(of(`${storage}, posthorn`, what) / of(`${storage}, ${other}`, what), 2);
  report(
    `end to end, to ${sink}`,
    Object.keys(results).map((name) => ({
      server: name,
      "accepted a second": round(of(name, "accepted")),
      "delivered a second": round(of(name, "delivered")),
      "CPU µs a mail": round(of(name, "cpu")),
      [`p50 ms at ${pace} a second`]: round(of(name, "p50"), 2),
      "p99 ms": round(of(name, "p99"), 2),
      "MB at most": round(of(name, "memory")),
    })),
    {
      sqlite_delivered: ratio("SQLite", "made by hand", "delivered"),
      sqlite_cpu: ratio("SQLite", "made by hand", "cpu"),
      postgres_delivered: ratio("PostgreSQL", "pg-boss", "delivered"),
      postgres_cpu: ratio("PostgreSQL", "pg-boss", "cpu"),
    },
  );
}

async function measure(subject: Subject, folder: string, seconds: number): Promise<Measured> {
  const file = requestFile(folder, "order", { path: subject.path, key: subject.key, body: requestBody });
  await load(subject.port, file, { connections, seconds: 1 });
  await untilQuiet(subject);
  const before = { cpu: cpuOf(subject.pid), delivered: await subject.delivered(), at: performance.now() };
  const { perSecond, statuses } = await load(subject.port, file, { connections, seconds });
  const total = statuses["202"] ?? 0;
  while ((await subject.delivered()) < before.delivered + total) await delay(50);
  const elapsed = (performance.now() - before.at) / 1000;
  const cpu = (cpuOf(subject.pid) - before.cpu) / total;
  const paced = startChild("paced-load.ts", String(subject.port), String(pace), String(seconds), file);
  const { p50, p99, refused } = await paced.next<{ p50: number; p99: number; refused: number }>();
  if (refused > 0) throw new Error("the server refused requests");
  await untilQuiet(subject);
  return { accepted: perSecond, delivered: total / elapsed, cpu, p50, p99, memory: memoryOf(subject.pid) };
}

/** Waits until no more mail is delivered. */
async function untilQuiet(subject: Subject): Promise<void> {
  for (let last = -1, now = 0; last !== now; await delay(700)) [last, now] = [now, await subject.delivered()];
}

async function startHandMade(kind: string, place: string, smtpPort: number): Promise<Subject> {
  const child = startChild("servers/hand-made.ts", kind, place, String(smtpPort));
  const { port } = await child.next<{ port: number }>();
  const delivered = async (): Promise<number> =>
    ((await (await fetch(`http://127.0.0.1:${port}/`)).json()) as { delivered: number }).delivered;
  return { port, pid: child.process.pid ?? 0, path: "/", delivered, stop: child.stop };
}

async function startPosthorn(command: string, url: string, smtpPort: number): Promise<Subject> {
  const { key } = await startChild("servers/prepare.ts", url, benchSecretKey).next<{ key: string }>();
  const serve = [...nodeOptions(), command, "serve"];
  const { pid, port, metricsPort, stop } = await startCommand(serve, { url, smtpPort });
  while (!(await answers(`http://127.0.0.1:${port}/readyz`))) await delay(50);
  return {
    port,
    pid,
    path: "/api/v1/emails/send-template",
    key,
    async delivered() {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(/^posthorn_email_attempts_total\{outcome="sent"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    },
    stop,
  };
}

/** Node options for the measured service, such as `--cpu-prof`. */
const nodeOptions = (): string[] => process.env["BENCH_NODE_OPTIONS"]?.split(" ") ?? [];

const answers = async (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

if (import.meta.main) {
  const [seconds, rounds, only] = process.argv.slice(2);
  await run(Number(seconds ?? 4), Number(rounds ?? 1), only);
}
