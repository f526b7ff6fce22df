/** Queues COUNT e-mails, then delivers them. `deliver.ts DATABASE_URL SMTP_PORT COUNT`; prints seconds and CPU µs a mail. */
import { createPosthorn, type NewEmail } from "@posthorn/core";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { dataOf, html, rendered, subject, text } from "../mail.ts";
import { openBenchStorage } from "../open-bench-storage.ts";

const [url = "sqlite::memory:", port, count = "10000"] = process.argv.slice(2);
const total = Number(count);
const storage = await openBenchStorage(url);
const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}` });
const posthorn = createPosthorn({ storage, mailer, secretKey: "only for measuring, 0123456789abcdef" });
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
const now = Date.now();

const emailOf = (number: number): NewEmail => ({
  id: `0199d3c1-7a5e-7000-8000-${String(number).padStart(12, "0")}`,
  workspaceId: workspace.id,
  apiKeyId: undefined,
  batchId: undefined,
  template: "order",
  templateVersionId: undefined,
  contentId,
  stylesheetSetId: undefined,
  from: "Shop <shop@example.org>",
  subject: rendered(number).subject,
  tags: [],
  payload: {
    from: { name: "Shop", address: "shop@example.org" },
    replyTo: [],
    headers: [],
    data: dataOf(number),
    literal: false,
    metadata: {},
    test: false,
  },
  createdAt: now,
  scheduledAt: undefined,
  recipients: [{ kind: "to", name: "", address: "ann@example.net" }],
  dueAt: now,
});

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
