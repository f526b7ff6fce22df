/**
 * Delivers what is queued for SECONDS. `work.ts DATABASE_URL SMTP_PORT SECONDS`; prints the number of mails, and its
 * maximum memory.
 */
import { setTimeout as delay } from "node:timers/promises";
import { createPosthorn } from "@posthorn/core";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { tuneV8 } from "../../packages/cli/src/program/process/tune-v8.ts";
import { sizeYoungGeneration } from "../../packages/cli/src/program/process/young-generation.ts";
import { benchSecretKey } from "../bench-secret-key.ts";
import { openBenchStorage } from "../open-bench-storage.ts";

// Like the command.
tuneV8();
const [url = "sqlite::memory:", port, seconds = "10"] = process.argv.slice(2);
const storage = await openBenchStorage(url);
const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}` });
const posthorn = createPosthorn({ storage, mailer, secretKey: benchSecretKey });
const megabytes = (): number => Math.round(process.memoryUsage.rss() / 1024 / 1024);
const idle = megabytes();
let peak = 0;
const sample = setInterval(() => {
  peak = Math.max(peak, megabytes());
}, 50);
sizeYoungGeneration();
posthorn.start();
await delay(Number(seconds) * 1000);
await posthorn.stop();
clearInterval(sample);
console.log(JSON.stringify({ idle, peak, sent: posthorn.counters().emails.sent }));
await posthorn.close();
await mailer.close();
await storage.close();
