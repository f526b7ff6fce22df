/**
 * Creates a workspace with the order's template, its stylesheet and a key. `prepare.ts DATABASE_URL SECRET_KEY`; prints
 * the key.
 */
import { createPosthorn } from "@posthorn/core";
import { createCaptureMailer } from "@posthorn/mailer-smtp";
import { openBenchStorage } from "../open-bench-storage.ts";
import { css, html, subject } from "../order-mail.ts";

const [url = "", secretKey = ""] = process.argv.slice(2);
const storage = await openBenchStorage(url);
const posthorn = createPosthorn({ storage, mailer: createCaptureMailer(), secretKey });
await posthorn.migrate();
const ann = { name: "Ann", email: "ann@example.com", password: "correct horse battery", isAdmin: false };
const as = await posthorn.findUser((await posthorn.users.create(ann)).id);
if (as === undefined) throw new Error("the user is gone");
const { id: workspaceId } = await posthorn.workspaces.create({ name: "Bench" }, { as });
await posthorn.settings.update({ defaultSenderEmail: "shop@example.org" }, { workspaceId });
await posthorn.stylesheets.create({ name: "house", css }, { workspaceId });
await posthorn.templates.create({ name: "order", subject, html }, { workspaceId });
console.log(JSON.stringify({ key: (await posthorn.apiKeys.create({ name: "bench" }, { workspaceId })).key }));
await posthorn.close();
await storage.close();
