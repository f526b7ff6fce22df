/**
 * Large files: memory of a worker while it delivers signed e-mails with a file of the given MB each to a mail server
 * that accepts everything.
 *
 * node --conditions=posthorn-source bench/attachments.ts [mails] [MB]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "./processes.ts";
import { startSink } from "./sink.ts";
import { report, round } from "./table.ts";

export async function run(mails = 200, megabytes = 10): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-bench-"));
  const sink = await startSink();
  try {
    const args = [`sqlite:${join(folder, "files.db")}`, String(sink.port), String(mails), String(megabytes)];
    const filling = await startChild("servers/attachments.ts", "fill", ...args).next<{ peak: number }>();
    const { idle, peak, seconds, sent } = await startChild(
      "servers/attachments.ts",
      "deliver",
      ...args,
    ).next<{
      idle: number;
      peak: number;
      seconds: number;
      sent: number;
    }>();
    const row = {
      "e-mails": sent,
      "MB each": megabytes,
      "uploading, MB of memory": round(filling.peak),
      "worker at rest, MB": round(idle),
      "worker at most, MB": round(peak),
      "MB a second": round((sent * megabytes) / seconds),
    };
    report("files, streamed", [row], { mails, megabytes, peak_mb: round(peak), sink: sink.name });
  } finally {
    sink.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await run(Number(process.argv[2] ?? 200), Number(process.argv[3] ?? 10));
