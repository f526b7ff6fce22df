/**
 * PostgreSQL: how many e-mails are accepted a second by one process and by three, against a bare node:http server that does one `pg` insert
 * a request.
 *
 *     node --conditions=posthorn-source bench/postgres.ts [seconds] [rounds]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestServer } from "../packages/storage-postgres/test/test-server.ts";
import { load, requestFile } from "./load-request.ts";
import { type Child, startChild } from "./processes.ts";
import { median, report, round } from "./table.ts";

const connections = 64;
const api = "/api/v1/emails/send-template";

export async function run(seconds = 4, rounds = 3): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-bench-"));
  const given = process.env["TEST_POSTGRES_URL"];
  const server =
    given === undefined ? await startTestServer() : { connectionString: given, stop: async () => {} };
  try {
    await accept(server.connectionString, { folder, seconds, rounds });
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
    const bareFile = requestFile(folder, "bare-pg", { path: "/" });
    const file = requestFile(folder, "posthorn-pg", { path: api, key });
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
        ratio_three_to_one: round(rate("posthorn, three") / rate("posthorn, one process"), 3),
        ratio_bare_insert_three: round(rate("posthorn, three") / rate("bare insert"), 3),
      },
    );
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}

if (import.meta.main) {
  const [seconds, rounds] = process.argv.slice(2).map(Number);
  await run(seconds, rounds);
}
