/**
 * Latency of a single request with PostgreSQL 50 ms away: a proxy delays each direction by 25 ms, so a round trip takes
 * 50 ms and more.
 *
 * node --conditions=posthorn-source bench/distance.ts [requests] [ms each direction]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTcpProxy } from "../packages/storage-postgres/test/tcp-proxy.ts";
import { startTestServer } from "../packages/storage-postgres/test/test-server.ts";
import { requestFile } from "./load-request.ts";
import { startChild } from "./processes.ts";
import { report, round } from "./table.ts";

/** Requests per second, so few that each finds the service idle. */
const rate = 0.8;

export async function run(requests = 9, delayMs = 25): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-bench-"));
  const server = await startTestServer();
  const proxy = await createTcpProxy(server.connectionString);
  const service = startChild("servers/posthorn.ts", proxy.urlFor(server.connectionString));
  try {
    const { port, key } = await service.next<{ port: number; key: string }>();
    const file = requestFile(folder, "distance", { path: "/api/v1/emails/send-template", key });
    const pace = async () => {
      const load = startChild("paced-load.ts", String(port), String(rate), String(requests / rate), file);
      const taken = await load.next<{ p50: number; p99: number; refused: number }>();
      if (taken.refused > 0) throw new Error("the service refused a request");
      return taken;
    };
    // The first requests prepare statements.
    const near = await pace().then(pace);
    proxy.delay(delayMs);
    const far = await pace();
    const row = (name: string, { p50, p99 }: { p50: number; p99: number }) => ({
      PostgreSQL: name,
      "median, ms": round(p50, 1),
      "p99, ms": round(p99, 1),
    });
    report("one request at rest", [row("here", near), row(`${2 * delayMs} ms away`, far)], {
      round_trips: round((far.p50 - near.p50) / (2 * delayMs), 1),
    });
  } finally {
    await service.stop();
    proxy.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await run(...process.argv.slice(2).map(Number));
