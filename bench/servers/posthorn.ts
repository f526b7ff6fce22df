/**
 * Posthorn's API with a workspace, a template and a key. `posthorn.ts DATABASE_URL [KEY] [SMTP_PORT COUNT]`; prints its port and the key.
 * With an SMTP port it also delivers, and prints the seconds from the first acceptance until COUNT mails are delivered.
 */
import { createPosthorn } from "@posthorn/core";
import { createServer } from "@posthorn/http";
import { createCaptureMailer, createSmtpMailer } from "@posthorn/mailer-smtp";
import { html, subject, text } from "../mail.ts";
import { openBenchStorage } from "../open-bench-storage.ts";

const [url = "sqlite::memory:", givenKey = "", smtpPort, count] = process.argv.slice(2);
const storage = await openBenchStorage(url);
const mailer =
  smtpPort === undefined ? createCaptureMailer() : createSmtpMailer({ url: `smtp://127.0.0.1:${smtpPort}` });
const posthorn = createPosthorn({ storage, mailer, secretKey: "only for measuring, 0123456789abcdef" });
await posthorn.migrate();

async function prepare(): Promise<string> {
  const owner = await posthorn.users.create({
    name: "Ann",
    email: "ann@example.com",
    password: "correct horse battery",
    isAdmin: false,
  });
  const as = await posthorn.findUser(owner.id);
  if (as === undefined) throw new Error("the user is gone");
  const workspace = await posthorn.workspaces.create({ name: "Bench" }, { as });
  const call = { workspaceId: workspace.id };
  await posthorn.settings.update({ defaultSenderEmail: "shop@example.org" }, call);
  await posthorn.templates.create({ name: "order", subject, html, text }, call);
  return (await posthorn.apiKeys.create({ name: "bench" }, call)).key;
}

const key = givenKey === "" ? await prepare() : givenKey;
if (smtpPort !== undefined) {
  let begun = 0;
  let sent = 0;
  posthorn.on("email.queued", () => {
    begun ||= performance.now();
  });
  posthorn.on("email.sent", () => {
    sent += 1;
    if (sent === Number(count)) console.log(JSON.stringify({ seconds: (performance.now() - begun) / 1000 }));
  });
  posthorn.start();
}
const server = createServer(posthorn, {});
const { port } = await server.listen(0, "127.0.0.1");
console.log(JSON.stringify({ port, key }));
process.on("SIGUSR2", () => {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ cpu: user + system, rss: process.memoryUsage.rss() }));
});
process.on("SIGINT", () => process.exit());
