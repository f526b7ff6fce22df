/** The baseline: a bare nodemailer pool doing the same mails. `nodemailer.ts SMTP_PORT COUNT`. */
import { createTransport } from "nodemailer";
import { rendered } from "../mail.ts";

const [port, count = "5000"] = process.argv.slice(2);
const total = Number(count);
const pool = createTransport({
  host: "127.0.0.1",
  port: Number(port),
  pool: true,
  maxConnections: 10,
  maxMessages: 1000,
  ignoreTLS: true,
});
const cpu = process.cpuUsage();
const begun = performance.now();
let next = 0;
async function send(): Promise<void> {
  while (next < total) {
    const number = next++;
    await pool.sendMail({ from: '"Shop" <shop@example.org>', to: "ann@example.net", ...rendered(number) });
  }
}
await Promise.all(Array.from({ length: 20 }, send));
const seconds = (performance.now() - begun) / 1000;
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ perSecond: total / seconds, cpu: (user + system) / total }));
pool.close();
