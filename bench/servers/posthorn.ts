/**
 * Posthorn's API with two workspaces of a template and a key each, one without limits and one with limits that are
 * never reached, and an administrator: `posthorn.ts DATABASE_URL [prepared]`; prints its port and, unless they already
 * exist, the keys.
 */
import { createPosthorn } from "@posthorn/core";
import { createPosthornServer } from "@posthorn/http";
import { createCaptureMailer } from "@posthorn/mailer-smtp";
import { tuneV8 } from "../../packages/cli/src/program/process/tune-v8.ts";
import { sizeYoungGeneration } from "../../packages/cli/src/program/process/young-generation.ts";
import { benchSecretKey } from "../bench-secret-key.ts";
import { html, subject, text } from "../mail.ts";
import { openBenchStorage } from "../open-bench-storage.ts";

// Like the command.
tuneV8();
const [url = "sqlite::memory:", isPrepared] = process.argv.slice(2);
const storage = await openBenchStorage(url);
const mailer = createCaptureMailer();
const posthorn = createPosthorn({ storage, mailer, secretKey: benchSecretKey });
await posthorn.migrate();

async function prepare(): Promise<{ key: string; limitedKey: string }> {
  const password = "correct horse battery";
  const owner = await posthorn.users.create({
    name: "Ann",
    email: "ann@example.com",
    password,
    isAdmin: true,
  });
  const plan = await posthorn.plans.create({ name: "Limited", hourlyRateLimit: 1e8, dailyRateLimit: 1e9 });
  const { workspaceId: limited, key: limitedKey } = await open(owner.id, "Limited");
  await posthorn.plans.assignToWorkspace({ workspaceId: limited, planId: plan.id });
  const { key } = await open(owner.id, "Bench");
  return { key, limitedKey };
}

async function open(userId: number, name: string): Promise<{ workspaceId: number; key: string }> {
  const { id: workspaceId } = await posthorn.workspaces.createFor({ name, userId });
  const call = { workspaceId };
  await posthorn.settings.update({ defaultSenderEmail: "shop@example.org" }, call);
  await posthorn.templates.create({ name: "order", subject, html, text }, call);
  return { workspaceId, key: (await posthorn.apiKeys.create({ name: "bench" }, call)).key };
}

const keys = isPrepared === undefined ? await prepare() : {};
const server = createPosthornServer(posthorn, { eventStream: { maxPerUser: 1_000, maxTotal: 1_000 } });
const { port } = await server.listen(0, "127.0.0.1");
sizeYoungGeneration();
console.log(JSON.stringify({ port, ...keys }));
process.on("SIGUSR2", () => {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ cpu: user + system, rss: process.memoryUsage.rss() }));
});
process.on("SIGINT", () => process.exit());
