/**
 * PostgreSQL: how many e-mails are accepted a second by one process and by three, against a bare node:http server that does one `pg` insert
 * a request; and how many go from request to delivered mail, against pg-boss with nodemailer doing the same job.
 *
 *     node --conditions=posthorn-source bench/postgres.ts [seconds] [rounds] [mails]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestServer } from "../packages/storage-postgres/test/test-server.ts";
import { load, requestFile } from "./load-request.ts";
import { type Child, startChild } from "./processes.ts";
import { startSink } from "./sink.ts";
import { median, report, round } from "./table.ts";

const connections = 64;
const api = "/api/v1/emails/send-template";

export async function run(seconds = 4, rounds = 3, mails = 5_000): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-bench-"));
  const given = process.env["TEST_POSTGRES_URL"];
  const server =
    given === undefined ? await startTestServer() : { connectionString: given, stop: async () => {} };
  try {
    await accept(server.connectionString, { folder, seconds, rounds });
    await endToEnd(server.connectionString, { folder, rounds, mails });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function accept(
  url: string,
  { folder, seconds, rounds }: { folder: string; seconds: number; rounds: number },
): Promise<void> {
  const bare = startChild("servers/bare-pg.ts", url);
  const first = startChild("servers/posthorn.ts", url);
  const children: Child[] = [bare, first];
  try {
    const { port: barePort } = await bare.next<{ port: number }>();
    const { port, key } = await first.next<{ port: number; key: string }>();
    const others = [startChild("servers/posthorn.ts", url, key), startChild("servers/posthorn.ts", url, key)];
    children.push(...others);
    const ports = [
      port,
      ...(await Promise.all(others.map(async (child) => (await child.next<{ port: number }>()).port))),
    ];
    const bareFile = requestFile(folder, "bare-pg", "/");
    const file = requestFile(folder, "posthorn-pg", api, key);
    const subjects = {
      "bare insert": () =>
        load(barePort, bareFile, { connections, seconds }).then(({ perSecond }) => perSecond),
      "posthorn, one process": () =>
        load(port, file, { connections, seconds }).then(({ perSecond }) => perSecond),
      "posthorn, three": async () => {
        const share = Math.floor(connections / ports.length);
        const loads = await Promise.all(ports.map((one) => load(one, file, { connections: share, seconds })));
        return loads.reduce((sum, { perSecond }) => sum + perSecond, 0);
      },
    };
    const rates: Record<string, number[]> = {};
    for (let turn = 0; turn < rounds; turn += 1) {
      for (const [name, measure] of Object.entries(subjects)) {
        const rate = await measure();
        rates[name] = [...(rates[name] ?? []), rate];
      }
    }
    const rate = (name: keyof typeof subjects): number => median(rates[name] ?? []);
    report(
      "accept on PostgreSQL",
      (Object.keys(subjects) as (keyof typeof subjects)[]).map((name) => ({
        server: name,
        "a second": round(rate(name)),
      })),
      {
        ratio_bare_insert: round(rate("posthorn, one process") / rate("bare insert"), 3),
        ratio_bare_insert_three: round(rate("posthorn, three") / rate("bare insert"), 3),
      },
    );
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}

async function endToEnd(
  url: string,
  { folder, rounds, mails }: { folder: string; rounds: number; mails: number },
): Promise<void> {
  const sink = await startSink();
  const rates: Record<"pg-boss, nodemailer" | "posthorn", number[]> = {
    "pg-boss, nodemailer": [],
    posthorn: [],
  };
  const measure = async (
    name: keyof typeof rates,
    path: string,
    script: string,
    ...args: string[]
  ): Promise<void> => {
    const child = startChild(script, ...args);
    try {
      const { port, key } = await child.next<{ port: number; key?: string }>();
      const loading = load(port, requestFile(folder, "end-to-end", path, key), {
        connections,
        seconds: 120,
        requests: mails,
      });
      const { seconds } = await child.next<{ seconds: number }>();
      await loading;
      rates[name].push(mails / seconds);
    } finally {
      await child.stop();
    }
  };

  try {
    for (let turn = 0; turn < rounds; turn += 1) {
      await measure("pg-boss, nodemailer", "/", "servers/pg-boss.ts", url, String(sink.port), String(mails));
      await measure(
        "posthorn",
        api,
        "servers/posthorn.ts",
        freshSchema(url, turn),
        "",
        String(sink.port),
        String(mails),
      );
    }
    report(
      `from request to delivered mail on PostgreSQL, to ${sink.name}`,
      (Object.keys(rates) as (keyof typeof rates)[]).map((name) => ({
        service: name,
        "a second": round(median(rates[name])),
      })),
      { ratio_pg_boss: round(median(rates.posthorn) / median(rates["pg-boss, nodemailer"]), 3) },
    );
  } finally {
    sink.stop();
  }
}

/** Each turn begins with empty tables: `?schema=` is read by the benches alone. */
function freshSchema(url: string, turn: number): string {
  const fresh = new URL(url);
  fresh.searchParams.set("schema", `posthorn_bench_${process.pid}_${turn}`);
  return fresh.href;
}

if (import.meta.main) {
  const [seconds, rounds, mails] = process.argv.slice(2).map(Number);
  await run(seconds, rounds, mails);
}
