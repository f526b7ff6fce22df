/**
 * Posthorn's API with a workspace, its owner's login, a key and a campaign. `lists.ts DATABASE_URL`; prints their URL
 * and credentials.
 */
import { createPosthorn } from "@posthorn/core";
import { createPosthornServer } from "@posthorn/http";
import { createCaptureMailer } from "@posthorn/mailer-smtp";
import { benchSecretKey } from "../bench-secret-key.ts";
import { openBenchStorage } from "../open-bench-storage.ts";

const [url = "sqlite::memory:"] = process.argv.slice(2);
const storage = await openBenchStorage(url);
const mailer = createCaptureMailer();
const posthorn = createPosthorn({ storage, mailer, secretKey: benchSecretKey });
await posthorn.migrate();
const login = { email: "ann@example.com", password: "correct horse battery" };
const owner = await posthorn.users.create({ name: "Ann", ...login });
await storage.users.update(owner.id, { emailVerifiedAt: Date.now() });
const { id: workspaceId } = await posthorn.workspaces.createFor({ name: "Bench", userId: owner.id });
await posthorn.settings.update({ defaultSenderEmail: "shop@example.org" }, { workspaceId });
const { key } = await posthorn.apiKeys.create({ name: "bench" }, { workspaceId });
const { id: campaignId } = await posthorn.campaigns.create(
  { name: "Spring", subject: "{{name}}", text: "x" },
  { workspaceId },
);
const server = createPosthornServer(posthorn, {});
const { port } = await server.listen(0, "127.0.0.1");
console.log(JSON.stringify({ port, key, workspaceId, campaignId, login }));
