/** Posthorn's API without its worker, with a workspace, a template and a key. `posthorn.ts DATABASE_URL`; prints its port and the key. */
import { createPosthorn } from "@posthorn/core";
import { createServer } from "@posthorn/http";
import { createCaptureMailer } from "@posthorn/mailer-smtp";
import { openBenchStorage } from "../open-bench-storage.ts";

const storage = await openBenchStorage(process.argv[2] ?? "sqlite::memory:");
const posthorn = createPosthorn({
  storage,
  mailer: createCaptureMailer(),
  secretKey: "only for measuring, 0123456789abcdef",
});
await posthorn.migrate();
let key = process.argv[3];
if (key === undefined) {
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
  await posthorn.settings.update({ defaultSenderEmail: "shop@example.com" }, call);
  await posthorn.templates.create(
    {
      name: "welcome",
      subject: "Welcome, {{name}}",
      html: "<p>Hello {{name}}, welcome to {{place}}.</p>",
      text: "Hello {{name}}, welcome to {{place}}.",
    },
    call,
  );
  key = (await posthorn.apiKeys.create({ name: "bench" }, call)).key;
}
const server = createServer(posthorn, {});
const { port } = await server.listen(0, "127.0.0.1");
console.log(JSON.stringify({ port, key }));
process.on("SIGUSR2", () => {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ cpu: user + system, rss: process.memoryUsage.rss() }));
});
process.on("SIGINT", () => process.exit());
