/**
 * Fairness between workspaces: latency of an urgent mail until the mailer has it, with many low-priority ones of
 * another workspace queued and with an empty queue; and mails per second of one workspace while the server of another
 * hangs, and without that.
 *
 * node --conditions=posthorn-source bench/turns.ts [mails queued] [urgent mails] [mails behind the dead server] [other
 * mails]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { MailMessage, MailResult } from "@posthorn/core";
import { createEmails } from "./create-emails.ts";
import { openBenchService } from "./open-bench-service.ts";
import { report, round } from "./table.ts";

/** Ms that the mailer takes per mail; ms after which it gives up a dead server. */
const sinkMs = 10;
const deadMs = 2_000;
const slots = 40;
/** Ids from here on belong to the other workspace. */
const others = 500_000_000;

const numberOf = (message: MailMessage): number => Number(message.emailId.slice(-12));
const accepted = (message: MailMessage): MailResult => ({
  recipients: message.envelope.to.map((address) => ({
    address,
    outcome: "accepted",
    code: 250,
    reply: "ok",
  })),
  inDoubt: false,
});
const quantile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? 0;

/** Returns the ms from the commit of each urgent mail until the mailer has it. */
async function measureUrgent(url: string, queued: number, urgent: number): Promise<number[]> {
  const arrived = new Map<number, number>();
  const service = await openBenchService(url, {
    concurrency: slots,
    async send(message) {
      arrived.set(numberOf(message), performance.now());
      await sleep(sinkMs);
      return accepted(message);
    },
  });
  const { contentId } = service;
  const [busy, quiet] = service.workspaces;
  await service.insert(queued, createEmails({ workspaceId: busy, contentId, lane: 2 }));
  service.posthorn.start();
  const emailOf = createEmails({ workspaceId: quiet, contentId, lane: 0 });
  const sent = new Map<number, number>();
  for (let number = others; number < others + urgent; number += 1) {
    await service.insert(1, () => emailOf(number));
    sent.set(number, performance.now());
    await sleep(20);
  }
  for (let waits = 0; [...sent.keys()].some((number) => !arrived.has(number)) && waits < 1_000; waits += 1)
    await sleep(10);
  await service.close();
  return [...sent].map(([number, at]) => Math.max(0, (arrived.get(number) ?? Number.POSITIVE_INFINITY) - at));
}

/**
 * Returns mails per second of one workspace, while another has that many mails for a server that hangs, due now or, as a
 * baseline with as large a queue, tomorrow.
 */
async function measureBeside(url: string, dead: number, count: number, dueInMs: number): Promise<number> {
  let arrived = 0;
  const service = await openBenchService(url, {
    concurrency: slots,
    async send(message) {
      if (numberOf(message) >= others) {
        await sleep(sinkMs);
        arrived += 1;
        return accepted(message);
      }
      await sleep(deadMs);
      const recipients = message.envelope.to.map(
        (address) => ({ address, outcome: "deferred", reply: "later" }) as const,
      );
      const held = { cause: "unreachable", reason: "no answer", retryAfterMs: 30_000 } as const;
      return { recipients, held, inDoubt: false };
    },
  });
  const { contentId } = service;
  const [busy, quiet] = service.workspaces;
  const deadOf = createEmails({ workspaceId: busy, contentId });
  await service.insert(dead, (number) => ({ ...deadOf(number), dueAt: Date.now() + dueInMs }));
  const emailOf = createEmails({ workspaceId: quiet, contentId });
  await service.insert(count, (number) => emailOf(others + number));
  service.posthorn.start();
  const begun = performance.now();
  while (arrived < count) await sleep(5);
  const perSecond = (count * 1_000) / (performance.now() - begun);
  await service.close();
  return perSecond;
}

export async function run(queued = 1_000_000, urgent = 200, dead = 100_000, count = 60_000): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-bench-"));
  const url = (name: string) => `sqlite:${join(folder, `${name}.db`)}`;
  try {
    const alone = await measureUrgent(url("alone"), 0, urgent);
    const behind = await measureUrgent(url("behind"), queued, urgent);
    const row = (name: string, taken: number[]) => ({
      "urgent mails": name,
      "median, ms": round(quantile(taken, 0.5), 1),
      "p99, ms": round(quantile(taken, 0.99), 1),
    });
    report("an urgent mail", [row("empty queue", alone), row(`${queued} low mails queued`, behind)], {
      ratio_p99: round(quantile(behind, 0.99) / quantile(alone, 0.99), 2),
    });
    const free = await measureBeside(url("free"), dead, count, 86_400_000);
    const beside = await measureBeside(url("beside"), dead, count, 0);
    report(
      "beside a dead server",
      [
        { mails: `${dead} due tomorrow`, "a second": round(free) },
        { mails: `${dead} behind a dead server`, "a second": round(beside) },
      ],
      { ratio_rate: round(beside / free, 3) },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await run(...process.argv.slice(2).map(Number));
