/**
 * PostgreSQL: e-mails accepted per second by one process and by three, without limits and with a plan's limits, beside
 * a bare node:http server that does one `pg` insert per request; and CPU of the processes and of PostgreSQL. Each
 * subject is loaded for a while first, as services run for days: in the first seconds V8 compiles, once in each
 * process. The three share the load of one, and in another row get that load each.
 *
 * node --conditions=posthorn-source bench/postgres.ts [seconds] [rounds] [seconds of warming up]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestServer } from "../packages/storage-postgres/test/test-server.ts";
import { load, requestFile } from "./load-request.ts";
import { findPostmaster } from "./postmaster.ts";
import { cpuOf } from "./process-usage.ts";
import { type Child, startChild } from "./processes.ts";
import { median, report, round } from "./table.ts";

const connections = 64;
const path = "/api/v1/emails/send-template";

/** Target of a load, and its request. */
interface Subject {
  servers: readonly { port: number; child: Child }[];
  file: string;
  /** Connections of all servers together. */
  connections: number;
}

interface Measured {
  perSecond: number;
  p50: number;
  /** CPU of the processes and of PostgreSQL, in µs per request. */
  own: number;
  server: number;
}

export async function run(seconds = 4, rounds = 3, warmUp = 15): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-bench-"));
  const given = process.env["TEST_POSTGRES_URL"];
  const server =
    given === undefined ? await startTestServer() : { connectionString: given, stop: async () => {} };
  const children: Child[] = [];
  try {
    const subjects = await open(server.connectionString, folder, children);
    const postmaster = await findPostmaster(server.connectionString);
    for (const subject of Object.values(subjects)) await measure(subject, warmUp, postmaster);
    const results: Record<string, Measured[]> = {};
    for (let turn = 0; turn < rounds; turn += 1)
      for (const [name, subject] of Object.entries(subjects))
        results[name] = [...(results[name] ?? []), await measure(subject, seconds, postmaster)];
    tell(results);
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function open(url: string, folder: string, children: Child[]): Promise<Record<string, Subject>> {
  const start = (script: string, ...args: string[]): Child => {
    const child = startChild(script, url, ...args);
    children.push(child);
    return child;
  };
  const bare = start("servers/bare-pg.ts");
  const { port: barePort } = await bare.next<{ port: number }>();
  const first = start("servers/posthorn.ts");
  const { port, key, limitedKey } = await first.next<{ port: number; key: string; limitedKey: string }>();
  const one = [{ port, child: first }];
  const three = [...one];
  for (const child of [start("servers/posthorn.ts", "prepared"), start("servers/posthorn.ts", "prepared")])
    three.push({ child, ...(await child.next<{ port: number }>()) });
  const unlimited = requestFile(folder, "unlimited", { path, key });
  const limited = requestFile(folder, "limited", { path, key: limitedKey });
  return {
    "bare insert": {
      servers: [{ port: barePort, child: bare }],
      file: requestFile(folder, "bare-pg", { path: "/" }),
      connections,
    },
    "posthorn, one process": { servers: one, file: unlimited, connections },
    "posthorn, three": { servers: three, file: unlimited, connections },
    "three, the load of one each": { servers: three, file: unlimited, connections: 3 * connections },
    "one, a plan with limits": { servers: one, file: limited, connections },
    "three, a plan with limits": { servers: three, file: limited, connections },
    "three, limits and the load of one each": {
      servers: three,
      file: limited,
      connections: 3 * connections,
    },
  };
}

async function measure(
  { servers, file, connections }: Subject,
  seconds: number,
  postmaster: number | undefined,
): Promise<Measured> {
  const cpu = () => ({
    own: servers.reduce((sum, { child }) => sum + cpuOf(child.process.pid ?? 0), 0),
    server: postmaster === undefined ? Number.NaN : cpuOf(postmaster),
  });
  const before = cpu();
  const share = Math.floor(connections / servers.length);
  const loads = await Promise.all(
    servers.map(({ port }) => load(port, file, { connections: share, seconds })),
  );
  const after = cpu();
  const count = loads.reduce((sum, { statuses }) => sum + (statuses["202"] ?? 0), 0);
  return {
    perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p50: median(loads.map(({ p50 }) => p50)),
    own: (after.own - before.own) / count,
    server: (after.server - before.server) / count,
  };
}

function tell(results: Record<string, Measured[]>): void {
  const of = (name: string, what: keyof Measured): number =>
    median((results[name] ?? []).map((one) => one[what]));
  const ratio = (name: string, other: string): number =>
    round(of(name, "perSecond") / of(other, "perSecond"), 3);
  report(
    "accept on PostgreSQL",
    Object.keys(results).map((name) => ({
      server: name,
      "a second": round(of(name, "perSecond")),
      "p50 ms": round(of(name, "p50"), 2),
      "CPU µs": round(of(name, "own")),
      "the server's": round(of(name, "server")),
    })),
    {
      ratio_bare_insert: ratio("posthorn, one process", "bare insert"),
      ratio_bare_insert_three: ratio("posthorn, three", "bare insert"),
      ratio_three_to_one: ratio("posthorn, three", "posthorn, one process"),
      ratio_three_to_one_limited: ratio("three, a plan with limits", "one, a plan with limits"),
      ratio_three_loads_to_one: ratio("three, the load of one each", "posthorn, one process"),
      ratio_three_loads_to_one_limited: ratio(
        "three, limits and the load of one each",
        "one, a plan with limits",
      ),
    },
  );
}

if (import.meta.main) {
  const [seconds, rounds, warmUp] = process.argv.slice(2).map(Number);
  await run(seconds, rounds, warmUp);
}
