/**
 * Queued e-mails delivered per second, rendered and recorded, to postfix's smtp-sink (our own sink if it is not
 * installed), beside a bare nodemailer pool that sends the same mails to the same sink and records nothing.
 *
 * node --conditions=posthorn-source bench/deliver.ts [mails] [rounds]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "./processes.ts";
import { startSink } from "./sink.ts";
import { median, report, round } from "./table.ts";

interface Run {
  perSecond: number;
  cpu: number;
}

export async function run(mails = 10_000, rounds = 3): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-bench-"));
  const sink = await startSink();
  const runs: Record<"nodemailer pool" | "posthorn", Run[]> = { "nodemailer pool": [], posthorn: [] };
  const measure = async (name: keyof typeof runs, script: string, ...args: string[]): Promise<void> => {
    runs[name].push(await startChild(script, ...args).next<Run>());
  };
  try {
    for (let turn = 0; turn < rounds; turn += 1) {
      await measure(
        "nodemailer pool",
        "servers/nodemailer.ts",
        String(sink.port),
        String(Math.ceil(mails / 2)),
      );
      await measure(
        "posthorn",
        "servers/deliver.ts",
        `sqlite:${join(folder, `${turn}.db`)}`,
        String(sink.port),
        String(mails),
      );
    }
    const rate = (name: keyof typeof runs): number => median(runs[name].map(({ perSecond }) => perSecond));
    report(
      `deliver to ${sink.name}`,
      (Object.keys(runs) as (keyof typeof runs)[]).map((name) => ({
        sender: name,
        "a second": round(rate(name)),
        "CPU µs": round(median(runs[name].map(({ cpu }) => cpu))),
      })),
      { ratio_nodemailer: round(rate("posthorn") / rate("nodemailer pool"), 3) },
    );
  } finally {
    sink.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await run(Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 3));
