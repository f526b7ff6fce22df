/**
 * Large batches: how long `POST /emails/batch` takes, with its JSON, and for how long it blocks the event loop. Each
 * recipient has values of its own, on SQLite in a file and on PostgreSQL.
 *
 * node --conditions=posthorn-source bench/batch.ts [recipients] [rounds]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { toWebHandler } from "@posthorn/http";
import { startTestServer } from "../packages/storage-postgres/test/test-server.ts";
import { openBenchService } from "./open-bench-service.ts";
import { median, report, round } from "./table.ts";

const recipients = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    to: `person${index}@example.net`,
    template_data: { name: `Person ${index}`, order: index, total: "12.50" },
    key: `k${index}`,
  }));

interface Measured {
  ms: number;
  longestMs: number;
  longestCpuMs: number;
}

/**
 * Maximum CPU in ms of this thread in one turn of the event loop: the delay for others, independent of other processes.
 */
function watchTurns(): { stop(): number } {
  let longest = 0;
  let last = process.threadCpuUsage();
  let running = true;
  const turn = (): void => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - last.user - last.system);
    last = now;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    stop() {
      running = false;
      return longest / 1_000;
    },
  };
}

async function measure(url: string, count: number, rounds: number): Promise<Measured[]> {
  const service = await openBenchService(url, {
    concurrency: 1,
    send: () => Promise.reject(new Error("unused")),
  });
  const { posthorn } = service;
  const [workspaceId] = service.workspaces;
  const text = "{{name}}, your order {{order}} comes to {{total}}.";
  await posthorn.templates.create({ name: "order", subject: "Order {{order}}", text }, { workspaceId });
  const { key } = await posthorn.apiKeys.create({ name: "bench" }, { workspaceId });
  const handle = toWebHandler(posthorn, { clientAddress: () => "127.0.0.1" });
  const ask = (body: string): Promise<Response> =>
    handle(
      new Request("http://localhost/api/v1/emails/batch", {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body,
      }),
    );
  const bodyOf = (size: number): string =>
    JSON.stringify({ template: "order", from: "shop@example.org", recipients: recipients(size) });
  // The first request loads modules.
  await (await ask(bodyOf(10))).text();
  const body = bodyOf(count);
  const measured: Measured[] = [];
  for (let at = 0; at < rounds; at += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    await sleep(50);
    const turns = watchTurns();
    delay.enable();
    const begun = performance.now();
    const answer = await ask(body);
    const said = await answer.text();
    const ms = performance.now() - begun;
    await sleep(5);
    delay.disable();
    const longestCpuMs = turns.stop();
    if (answer.status !== 202) throw new Error(said.slice(0, 500));
    measured.push({ ms, longestMs: delay.max / 1e6, longestCpuMs });
  }
  await service.close();
  return measured;
}

export async function run(count = 10_000, rounds = 5): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-bench-"));
  const given = process.env["TEST_POSTGRES_URL"];
  const server =
    given === undefined ? await startTestServer() : { connectionString: given, stop: async () => {} };
  try {
    const sqlite = await measure(`sqlite:${join(folder, "batch.db")}`, count, rounds);
    const postgres = await measure(`${server.connectionString}?schema=posthorn_batch`, count, rounds);
    const row = (storage: string, measured: Measured[]) => ({
      storage,
      "accepted in, ms": round(median(measured.map(({ ms }) => ms))),
      "longest hold of the event loop, ms": round(median(measured.map(({ longestMs }) => longestMs)), 1),
      "its CPU, ms": round(median(measured.map(({ longestCpuMs }) => longestCpuMs)), 1),
      "worst round": round(Math.max(...measured.map(({ longestMs }) => longestMs)), 1),
    });
    report(`a batch of ${count}`, [row("SQLite", sqlite), row("PostgreSQL", postgres)], {});
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await run(...process.argv.slice(2).map(Number));
