/**
 * Queues COUNT e-mails, then delivers them. `deliver.ts DATABASE_URL SMTP_PORT COUNT`; prints seconds and CPU in µs per
 * mail.
 */
import { createPosthorn } from "@posthorn/core";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { benchSecretKey } from "../bench-secret-key.ts";
import { createEmails } from "../create-emails.ts";
import { html, subject, text } from "../mail.ts";
import { openBenchStorage } from "../open-bench-storage.ts";

const [url = "sqlite::memory:", port, count = "10000"] = process.argv.slice(2);
const total = Number(count);
const storage = await openBenchStorage(url);
const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}` });
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
const workspace = await posthorn.workspaces.create({ name: "Bench" }, { as });
const contentId = await storage.contents.put({ subject, html, text });
const emailOf = createEmails({ workspaceId: workspace.id, contentId });

for (let number = 0; number < total; number += 500) {
  const batch = Array.from({ length: Math.min(500, total - number) }, (_, at) => emailOf(number + at));
  await storage.transaction((repositories) => repositories.emails.insert(batch));
}
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
await posthorn.close();
await mailer.close();
await storage.close();
