/**
 * Queues COUNT e-mails, then delivers them. `deliver.ts DATABASE_URL SMTP_PORT COUNT`; prints seconds and CPU in µs per
 * mail.
 */
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { createEmails } from "../create-emails.ts";
import { openBenchService } from "../open-bench-service.ts";

const [url = "sqlite::memory:", port, count = "10000"] = process.argv.slice(2);
const total = Number(count);
const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}` });
const { posthorn, workspaces, contentId, insert, close } = await openBenchService(url, mailer);
await insert(total, createEmails({ workspaceId: workspaces[0], contentId }));
const cpu = process.cpuUsage();
const begun = performance.now();
const done = new Promise<void>((resolve) => {
  let sent = 0;
  posthorn.on("*", ({ type }) => {
    if (type !== "email.sent") throw new Error(`unexpected ${type}`);
    sent += 1;
    if (sent === total) resolve();
  });
});
posthorn.start();
await done;
const seconds = (performance.now() - begun) / 1000;
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ perSecond: total / seconds, cpu: (user + system) / total }));
await close();
