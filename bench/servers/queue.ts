/**
 * Fills a queue with COUNT e-mails. `queue.ts DATABASE_URL COUNT`; prints the cost of claiming and listing with few and
 * many rows.
 */
import { createCaptureMailer } from "@posthorn/mailer-smtp";
import { createEmails } from "../create-emails.ts";
import { openBenchService } from "../open-bench-service.ts";
import { median } from "../table.ts";

const [url = "sqlite::memory:", count = "1000000"] = process.argv.slice(2);
const total = Number(count);
const service = await openBenchService(url, createCaptureMailer());
const { posthorn, storage, contentId, insert, close } = service;
const [workspaceId] = service.workspaces;
const emailOf = createEmails({ workspaceId, contentId });

async function time(work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const begun = performance.now();
    await work();
    taken.push(performance.now() - begun);
  }
  return median(taken);
}

const list = () => posthorn.emails.list({}, { workspaceId });
const claim = async () => {
  const { due } = await storage.emailQueue.look(Date.now(), 100);
  const wants = due.map(({ route, lane, dueAt }) => ({ route, lane, since: dueAt, limit: 100 }));
  const claimed = await storage.emailQueue.claim({
    wants,
    now: Date.now(),
    leaseMs: 30_000,
    worker: "bench",
    maxBytes: 1e9,
  });
  await storage.emailQueue.release(claimed.map(({ lease }) => lease));
};
const few = Math.min(1000, total);
await insert(few, emailOf);
const before = { listMs: await time(list), claimMs: await time(claim) };
await insert(total - few, (number) => emailOf(few + number));
const after = { listMs: await time(list), claimMs: await time(claim) };

console.log(JSON.stringify({ before, after }));
await close();
