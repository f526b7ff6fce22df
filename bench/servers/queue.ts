/**
 * Fills a queue with COUNT e-mails. `queue.ts DATABASE_URL COUNT`; prints the cost of claiming and listing with few and
 * many rows.
 */
import { createPosthorn } from "@posthorn/core";
import { createCaptureMailer } from "@posthorn/mailer-smtp";
import { benchSecretKey } from "../bench-secret-key.ts";
import { createEmails } from "../create-emails.ts";
import { html, subject, text } from "../mail.ts";
import { openBenchStorage } from "../open-bench-storage.ts";
import { median } from "../table.ts";

const [url = "sqlite::memory:", count = "1000000"] = process.argv.slice(2);
const total = Number(count);
const storage = await openBenchStorage(url);
const mailer = createCaptureMailer();
const posthorn = createPosthorn({ storage, mailer, secretKey: benchSecretKey });
await posthorn.migrate();
const owner = await posthorn.users.create({
  name: "Ann",
  email: "ann@example.com",
  password: "correct horse battery",
  isAdmin: false,
});
const as = await posthorn.findUser(owner.id);
if (as === undefined) throw new Error("the user is gone");
const { id: workspaceId } = await posthorn.workspaces.create({ name: "Bench" }, { as });
const emailOf = createEmails({ workspaceId, contentId: await storage.contents.put({ subject, html, text }) });

async function fill(from: number, until: number): Promise<void> {
  for (let number = from; number < until; number += 1000) {
    const batch = Array.from({ length: Math.min(1000, until - number) }, (_, at) => emailOf(number + at));
    await storage.transaction((repositories) => repositories.emails.insert(batch));
  }
}

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
await fill(0, few);
const before = { listMs: await time(list), claimMs: await time(claim) };
await fill(few, total);
const after = { listMs: await time(list), claimMs: await time(claim) };

console.log(JSON.stringify({ before, after }));
await posthorn.close();
await mailer.close();
await storage.close();
