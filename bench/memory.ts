/**
 * Maximum resident memory of the packed packages while a long queue is delivered as fast as possible: the command, and a
 * host that embeds the service, with Node's defaults and with the options that docs/scaling.md names.
 *
 * node --conditions=posthorn-source bench/memory.ts [e-mails]
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startTestServer } from "../packages/storage-postgres/test/test-server.ts";
import { benchSecretKey } from "./bench-secret-key.ts";
import { createEmails } from "./create-emails.ts";
import { installPackages } from "./install-packages.ts";
import { makeDatabase } from "./make-database.ts";
import { openBenchService } from "./open-bench-service.ts";
import { cpuOf, memoryOf } from "./process-usage.ts";
import { startSink } from "./sink.ts";
import { type Started, startCommand, startNode } from "./start-command.ts";
import { report, round } from "./table.ts";

const v8Options = ["--max-semi-space-size=16", "--heap-growing-percent=100"];

export async function run(emails = 200_000): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-bench-"));
  const command = installPackages(folder);
  const host = join(command, "../../../../host.mjs");
  copyFileSync(new URL("servers/embedded-host.mjs", import.meta.url), host);
  const sink = await startSink();
  const server = await startTestServer();
  const smtpPort = sink.port;
  const inOneThread = { SERVICE_WORKER_THREAD: "false" };
  const rows: Record<string, string | number>[] = [];
  try {
    for (const storage of ["SQLite", "PostgreSQL"]) {
      const subjects: Record<string, (url: string) => Promise<Started>> = {
        worker: (url) => startCommand([command, "worker"], { url, smtpPort }),
        serve: (url) => startCommand([command, "serve"], { url, smtpPort }),
        "serve in one thread": (url) => startCommand([command, "serve"], { url, smtpPort, env: inOneThread }),
        "embedding host": async (url) => startNode([host, url, benchSecretKey, String(smtpPort)]),
        [`node ${v8Options.join(" ")}`]: async (url) =>
          startNode([...v8Options, host, url, benchSecretKey, String(smtpPort)]),
      };
      for (const [name, begin] of Object.entries(subjects)) {
        const suffix = `memory_${rows.length}`;
        const url =
          storage === "SQLite"
            ? `sqlite:${join(folder, `${suffix}.db`)}`
            : await makeDatabase(server.connectionString, suffix);
        rows.push({ storage, process: name, ...(await measure(url, emails, begin)) });
      }
    }
    report(`memory, ${emails} e-mails to ${sink.name}`, rows, {});
  } finally {
    sink.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  url: string,
  emails: number,
  begin: (url: string) => Promise<Started>,
): Promise<{ "MB at most": number; "CPU µs a mail": number }> {
  const service = await openBenchService(url, {
    concurrency: 1,
    send: async () => {
      throw new Error("this service only fills the queue");
    },
  });
  const { contentId, workspaces } = service;
  await service.insert(emails, createEmails({ workspaceId: workspaces[0], contentId }));
  const { pid, stop } = await begin(url);
  try {
    for (let left = emails; left > 0; ) {
      await delay(500);
      const { due, waiting, leased } = await service.posthorn.queue.status();
      left = due + waiting + leased;
    }
    return { "MB at most": round(memoryOf(pid)), "CPU µs a mail": round(cpuOf(pid) / emails) };
  } finally {
    await stop();
    await service.close();
  }
}

if (import.meta.main) await run(...process.argv.slice(2).map(Number));
