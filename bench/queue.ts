/**
 * A long queue: memory while it is delivered, and cost of claiming and listing with a thousand rows and with a million.
 *
 * node --conditions=posthorn-source bench/queue.ts [mails] [seconds]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "./processes.ts";
import { startSink } from "./sink.ts";
import { report, round } from "./table.ts";

interface Costs {
  listMs: number;
  claimMs: number;
}

export async function run(mails = 1_000_000, seconds = 10): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-bench-"));
  const sink = await startSink();
  try {
    const url = `sqlite:${join(folder, "queue.db")}`;
    const { before, after } = await startChild("servers/queue.ts", url, String(mails)).next<{
      before: Costs;
      after: Costs;
    }>();
    const worker = startChild("servers/work.ts", url, String(sink.port), String(seconds));
    const { idle, peak, sent } = await worker.next<{ idle: number; peak: number; sent: number }>();
    const row = (rows: number, { listMs, claimMs }: Costs) => ({
      "e-mails in the queue": rows,
      "list, ms": round(listMs, 2),
      "claim 100, ms": round(claimMs, 2),
    });
    report("a long queue", [row(1000, before), row(mails, after)], {
      ratio_list: round(after.listMs / before.listMs, 2),
      ratio_claim: round(after.claimMs / before.claimMs, 2),
      worker: { idle_mb: idle, peak_mb: peak, sent },
    });
  } finally {
    sink.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await run(Number(process.argv[2] ?? 1_000_000), Number(process.argv[3] ?? 10));
