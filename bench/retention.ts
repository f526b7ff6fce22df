/**
 * Retention while mail is accepted: e-mails removed per second, and accepted per second meanwhile, for both retention
 * periods; longest turn of the event loop; and size of the file before and after.
 *
 * node --conditions=posthorn-source bench/retention.ts [e-mails]
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sideOf } from "@posthorn/storage-sql";
import { startTestServer } from "../packages/storage-postgres/test/test-server.ts";
import { createEmails } from "./create-emails.ts";
import { type BenchService, openBenchService } from "./open-bench-service.ts";
import { report, round } from "./table.ts";

const day = 86_400_000;
/** Number of requests in progress at once. */
const callers = 16;

type Clock = "content" | "log";

export async function run(mails = 50_000): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-bench-"));
  const given = process.env["TEST_POSTGRES_URL"];
  const server =
    given === undefined ? await startTestServer() : { connectionString: given, stop: async () => {} };
  const rows: Record<string, string | number>[] = [];
  try {
    for (const url of [
      `sqlite:${join(folder, "retention.db")}`,
      `${server.connectionString}?schema=retention`,
    ])
      rows.push(...(await measure(url, mails)));
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  report("retention while mail is accepted", rows, { mails, callers });
}

async function measure(url: string, mails: number): Promise<Record<string, string | number>[]> {
  const service = await openBenchService(url, {
    concurrency: 1,
    send: () => Promise.reject(new Error("nothing is delivered here")),
  });
  try {
    await fill(service, mails);
    const rows = [];
    for (const clock of ["content", "log"] as const)
      rows.push(await removeBy(service, { clock, url, mails }));
    return rows;
  } finally {
    await service.close();
  }
}

/** Inserts e-mails of ten days ago, alternating between two workspaces, settled as by delivery. */
async function fill({ posthorn, workspaces, contentId, insert }: BenchService, mails: number): Promise<void> {
  const makers = workspaces.map((workspaceId) => createEmails({ workspaceId, contentId }));
  const createdAt = Date.now() - 10 * day;
  await insert(mails, (number) => {
    const make = makers[Math.floor(number / 1_000) % 2];
    if (make === undefined) throw new TypeError("there are two workspaces");
    return { ...make(number), createdAt };
  });
  const { db } = sideOf(posthorn.storage);
  await db
    .insertInto("email_outcomes")
    .columns(["email_id", "workspace_id", "status", "settled_at"])
    .expression((eb) =>
      eb.selectFrom("emails").select(["id", "workspace_id", eb.val("sent").as("status"), "created_at"]),
    )
    .execute();
  await db
    .insertInto("email_attempts")
    .columns(["email_id", "number", "started_at", "worker", "outcome", "in_doubt", "reply"])
    .expression((eb) =>
      eb
        .selectFrom("emails")
        .select([
          "id",
          eb.lit(1).as("number"),
          "created_at",
          eb.val("w").as("worker"),
          eb.val("sent").as("outcome"),
          eb.lit(false).as("in_doubt"),
          eb.val("250 ok").as("reply"),
        ]),
    )
    .execute();
  await db.deleteFrom("email_queue").execute();
}

async function removeBy(
  { posthorn, workspaces: [busy, quiet] }: BenchService,
  { clock, url, mails }: { clock: Clock; url: string; mails: number },
): Promise<Record<string, string | number>> {
  const as = { as: { kind: "operator", name: "bench" } } as const;
  if (clock === "content")
    for (const workspaceId of [busy, quiet])
      await posthorn.settings.update({ contentRetentionDays: 5 }, { workspaceId, ...as });
  else {
    const plan = await posthorn.plans.create({ name: "Short", emailLogRetentionDays: 7 }, as);
    await posthorn.plans.setDefault({ planId: plan.id }, as);
  }
  const alone = await whileAccepting(posthorn, busy, () => delay(3_000));
  const before = sizeOf(url);
  const both = await whileAccepting(posthorn, busy, () => posthorn.prune());
  const removed = mails / both.seconds;
  return {
    storage: url.slice(0, url.indexOf(":")),
    clock,
    "accepted/s alone": round(alone.accepted / alone.seconds),
    meanwhile: round(both.accepted / both.seconds),
    "removed/s": round(removed),
    "removed for each accepted": round(mails / Math.max(1, both.accepted), 1),
    "longest turn, CPU ms, alone": round(alone.turn),
    "with removal": round(both.turn),
    "MB before": before,
    "MB after": sizeOf(url),
  };
}

/**
 * Runs work while mail is accepted; returns the number of sends answered, and the CPU of the longest turn of the event
 * loop.
 */
async function whileAccepting(
  posthorn: BenchService["posthorn"],
  workspaceId: number,
  work: () => Promise<unknown>,
): Promise<{ accepted: number; seconds: number; turn: number }> {
  let running = true;
  let accepted = 0;
  let turn = 0;
  const accept = async (): Promise<void> => {
    while (running) {
      const mail = { subject: "New", text: "New", to: ["ben@example.net"], from: "shop@example.org" };
      await posthorn.emails.send(mail, { workspaceId });
      accepted += 1;
    }
  };
  const watch = async (): Promise<void> => {
    for (let last = process.threadCpuUsage(); running; last = process.threadCpuUsage()) {
      await new Promise((resolve) => setImmediate(resolve));
      const { user, system } = process.threadCpuUsage(last);
      turn = Math.max(turn, (user + system) / 1_000);
    }
  };
  const all = [watch(), ...Array.from({ length: callers }, accept)];
  const begun = performance.now();
  await work();
  const seconds = (performance.now() - begun) / 1_000;
  running = false;
  await Promise.all(all);
  return { accepted, seconds, turn };
}

const sizeOf = (url: string): number | string =>
  url.startsWith("sqlite:") ? round(statSync(url.slice("sqlite:".length)).size / 1e6, 1) : "";

if (import.meta.main) await run(Number(process.argv[2] ?? 50_000));
