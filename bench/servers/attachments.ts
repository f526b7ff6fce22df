/**
 * Uploads files and sends e-mails with them, or delivers them. `attachments.ts fill|deliver DATABASE_URL PORT COUNT
 * MEGABYTES`; prints its maximum memory.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createPosthorn, type Posthorn } from "@posthorn/core";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { benchSecretKey } from "../bench-secret-key.ts";
import { openBenchStorage } from "../open-bench-storage.ts";
import { memoryOf } from "../process-usage.ts";

const [mode = "fill", url = "sqlite::memory:", port = "25", count = "200", megabytes = "10"] =
  process.argv.slice(2);
const total = Number(count);
const { privateKey } = generateKeyPairSync("ed25519");
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const storage = await openBenchStorage(url);
const mailer = createSmtpMailer({
  url: `smtp://127.0.0.1:${port}`,
  dkim: [{ domain: "example.com", selector: "s", privateKey: pem }],
});
const posthorn = createPosthorn({ storage, mailer, secretKey: benchSecretKey });
await posthorn.migrate();
console.log(JSON.stringify(mode === "fill" ? await fill(posthorn) : await deliver(posthorn)));
await posthorn.close();
await mailer.close();
await storage.close();

/** Sends files of that many megabytes, no two alike, one after the other. */
async function fill(service: Posthorn): Promise<{ peak: number }> {
  const user = await service.users.create({
    name: "Ann",
    email: "ann@example.com",
    password: "correct horse battery",
  });
  const { id: workspaceId } = await service.workspaces.createFor({ name: "Bench", userId: user.id });
  await storage.users.update(user.id, { emailVerifiedAt: Date.now() });
  await storage.workspaces.update(workspaceId, { isTrusted: true, updatedAt: Date.now() });
  const shop = service.workspace(workspaceId);
  async function* content(): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent < Number(megabytes) * 16; sent += 1) yield randomBytes(64 * 1024);
  }
  const ids: string[] = [];
  for (let number = 0; number < 8; number += 1) {
    const { id } = await shop.attachments.upload({ filename: `${number}.bin`, content: content() });
    ids.push(id);
  }
  for (let number = 0; number < total; number += 1)
    await shop.emails.send({
      from: "shop@example.com",
      to: [`${number}@example.com`],
      subject: `Nr ${number}`,
      text: "Hello",
      attachments: [{ id: ids[number % ids.length] ?? "" }],
    });
  return { peak: memoryOf(process.pid) };
}

async function deliver(service: Posthorn): Promise<object> {
  const idle = memoryOf(process.pid);
  const begun = performance.now();
  service.start();
  while (service.counters().emails.sent < total && performance.now() - begun < 600_000) await delay(50);
  const seconds = (performance.now() - begun) / 1000;
  return { idle, peak: memoryOf(process.pid), seconds, sent: service.counters().emails.sent };
}
