/** Posthorn's API with a workspace, a template and a key. `posthorn.ts DATABASE_URL [KEY]`; prints its port and the key. */
import { createPosthorn } from "@posthorn/core";
import { createPosthornServer } from "@posthorn/http";
import { createCaptureMailer } from "@posthorn/mailer-smtp";
import { html, subject, text } from "../mail.ts";
import { openBenchStorage } from "../open-bench-storage.ts";

const [url = "sqlite::memory:", givenKey = ""] = process.argv.slice(2);
const storage = await openBenchStorage(url);
const mailer = createCaptureMailer();
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
const server = createPosthornServer(posthorn, {});
const { port } = await server.listen(0, "127.0.0.1");
console.log(JSON.stringify({ port, key }));
process.on("SIGUSR2", () => {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ cpu: user + system, rss: process.memoryUsage.rss() }));
});
process.on("SIGINT", () => process.exit());
