/**
 * Lists of a million lines: time to import suppressions over HTTP, part by part as the command line sends them, to
 * import them again and to export them, and to import a campaign's recipients; maximum memory of the server and of the
 * client; and latency of sends meanwhile.
 *
 * node --conditions=posthorn-source bench/lists.ts [lines]
 */
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "@posthorn/client";
import { splitListFile } from "@posthorn/core/internal";
import { startTestServer } from "../packages/storage-postgres/test/test-server.ts";
import { memoryOf } from "./process-usage.ts";
import { startChild } from "./processes.ts";
import { report, round } from "./table.ts";

interface Reached {
  port: number;
  key: string;
  workspaceId: number;
  campaignId: number;
  login: { email: string; password: string };
}

export async function run(lines = 1_000_000): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-bench-"));
  const postgres = await startTestServer();
  try {
    const file = join(folder, "list.csv");
    await write(file, lines);
    const storages = { SQLite: `sqlite:${join(folder, "lists.db")}`, PostgreSQL: postgres.connectionString };
    for (const [storage, url] of Object.entries(storages))
      report("lists", [{ storage, ...(await measure(url, file, lines)) }], { lines });
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function write(path: string, lines: number): Promise<void> {
  const file = createWriteStream(path);
  file.write("email,reason\r\n");
  for (let from = 0; from < lines; from += 10_000) {
    const some = Array.from(
      { length: Math.min(10_000, lines - from) },
      (_, at) => `person${from + at}@example.com,"550 5.1.1 no such user, nr ${from + at}"\r\n`,
    );
    if (!file.write(some.join(""))) await new Promise<void>((resolve) => file.once("drain", () => resolve()));
  }
  await new Promise<void>((resolve) => file.end(() => resolve()));
}

async function measure(url: string, file: string, lines: number): Promise<Record<string, string | number>> {
  const child = startChild("servers/lists.ts", url);
  try {
    const { port, key, workspaceId, campaignId, login } = await child.next<Reached>();
    const base = `http://127.0.0.1:${port}`;
    const answer = await createClient(base).request("POST /auth/login", login);
    const token = "token" in answer ? answer.token : "";
    const client = createClient(base, { token, workspaceId, apiKey: key, timeoutMs: 60_000 });
    const server = child.process.pid ?? 0;
    const idle = memoryOf(server);
    const sends = keepSending(client);
    const rate = async (work: () => Promise<number>): Promise<number> => {
      const begun = performance.now();
      const done = await work();
      if (done !== lines) throw new Error(`${done} of ${lines} lines came to what they should`);
      return round(lines / ((performance.now() - begun) / 1_000));
    };
    const suppress = async (of: "added" | "unchanged"): Promise<number> => {
      let done = 0;
      for await (const { content } of splitListFile(createReadStream(file), {
        format: "csv",
        list: "suppressions",
      }))
        done += (
          await client.request("POST /workspaces/current/suppressions/import", { content, ...ndjson })
        )[of];
      return done;
    };
    const row = {
      "suppressions in, a second": await rate(() => suppress("added")),
      "again, a second": await rate(() => suppress("unchanged")),
      "out, a second": await rate(() => countExported(base, token, workspaceId)),
      "recipients in, a second": await rate(() => list(client, file, campaignId)),
    };
    const { median, worst } = await sends.end();
    return {
      ...row,
      "server at rest, MB": round(idle),
      "server at most, MB": round(memoryOf(server)),
      "client at most, MB": round(memoryOf(process.pid)),
      "send meanwhile, ms": `${round(median)} (at most ${round(worst)})`,
    };
  } finally {
    await child.stop();
  }
}

const ndjson = { content_type: "application/x-ndjson" };
type Client = ReturnType<typeof createClient>;

async function list(client: Client, file: string, id: number): Promise<number> {
  let added = 0;
  const parts = splitListFile(createReadStream(file), { format: "csv", list: "recipients" });
  for await (const { content } of parts) {
    const fields = { id, content, ...ndjson };
    added += (await client.request("POST /workspaces/current/campaigns/{id}/recipients", fields)).added;
  }
  return added;
}

/** Counts the lines of the export while reading it. */
async function countExported(base: string, token: string, workspaceId: number): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, "x-service-workspace-id": String(workspaceId) };
  const { body } = await fetch(`${base}/api/v1/workspaces/current/suppressions/export?format=ndjson`, {
    headers,
  });
  let count = 0;
  for await (const chunk of body ?? []) for (const byte of chunk) if (byte === 10) count += 1;
  return count;
}

/** Sends a mail every 50 ms to a recipient on no list; returns latencies in ms. */
function keepSending(client: Client): { end(): Promise<{ median: number; worst: number }> } {
  const times: number[] = [];
  let isOver = false;
  const sending = (async () => {
    for (let count = 0; !isOver; count += 1) {
      const begun = performance.now();
      await client.send({ to: [`nobody${count}@example.org`], subject: "Hello", text: "x" });
      times.push(performance.now() - begun);
      await delay(50);
    }
  })();
  return {
    async end() {
      isOver = true;
      await sending;
      times.sort((a, b) => a - b);
      return { median: times[Math.floor(times.length / 2)] ?? 0, worst: times.at(-1) ?? 0 };
    },
  };
}

if (import.meta.main) await run(Number(process.argv[2] ?? 1_000_000));
