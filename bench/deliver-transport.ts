/**
 * CPU of handing over a mail: Posthorn's SMTP mailer beside nodemailer's pooled transport, each to the same sink over
 * the same number of connections. The sink runs in a separate thread; the CPU counted is this thread's.
 *
 * node --conditions=posthorn-source bench/deliver-transport.ts [mails]
 */
import { createServer } from "node:net";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import type { MailMessage } from "@posthorn/core";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { composeMessage } from "@posthorn/mailer-smtp/internal";
import { createTransport } from "nodemailer";

const connections = 10;
const text = "Good day,\nyour order is on its way and will arrive tomorrow.\n".repeat(20);
const html = `<!doctype html><body>${"<p>Good day, your order is on its way.</p>\n".repeat(40)}</body>`;

function messageOf(number: number): MailMessage {
  return {
    emailId: `0199d3c1-7a5e-7000-8000-${String(number).padStart(12, "0")}`,
    messageId: `<0199d3c1-7a5e-7000-8000-${number}@example.org>`,
    date: Date.UTC(2026, 10, 21),
    from: { name: "Shop", address: "shop@example.org" },
    to: [{ name: "Müller, Ann", address: "ann@example.net" }],
    cc: [],
    replyTo: [],
    subject: `Your order ${number} is on its way`,
    html,
    text,
    headers: [{ name: "X-Order", value: String(number) }],
    attachments: [],
    envelope: { from: "bounce@example.org", to: ["ann@example.net"] },
  };
}

/** Accepts everything, and parses only line ends and the final dot. */
function runSink(): void {
  const server = createServer({ noDelay: true }, (socket) => {
    let rest = "";
    let isContent = false;
    socket.on("error", () => {});
    socket.write("220 sink\r\n");
    socket.on("data", (piece) => {
      rest += piece.toString("latin1");
      let replies = "";
      for (;;) {
        const end = rest.indexOf(isContent ? "\r\n.\r\n" : "\r\n");
        if (end === -1) break;
        const command = isContent ? "." : rest.slice(0, 4);
        rest = rest.slice(end + (isContent ? 5 : 2));
        isContent = command === "DATA";
        replies +=
          command === "EHLO" ? "250-sink\r\n250 PIPELINING\r\n" : isContent ? "354 go\r\n" : "250 ok\r\n";
      }
      if (replies !== "") socket.write(replies);
    });
  });
  server.listen(0, "127.0.0.1", () => parentPort?.postMessage(server.address()));
}

interface Row {
  name: string;
  mailsPerSecond: number;
  cpuMicrosecondsPerMail: number;
}

async function measure(name: string, mails: number, send: (number: number) => unknown): Promise<Row> {
  const run = async (count: number) => {
    let next = 0;
    const loop = async () => {
      while (next < count) await send(next++);
    };
    await Promise.all(Array.from({ length: connections }, loop));
  };
  await run(Math.ceil(mails / 10));
  const cpu = process.threadCpuUsage();
  const start = performance.now();
  await run(mails);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.threadCpuUsage(cpu);
  return {
    name,
    mailsPerSecond: Math.round(mails / seconds),
    cpuMicrosecondsPerMail: Math.round(((user + system) / mails) * 10) / 10,
  };
}

async function main(): Promise<void> {
  const mails = Number(process.argv[2] ?? 20_000);
  const sink = new Worker(new URL(import.meta.url));
  const { port } = await new Promise<{ port: number }>((resolve) => sink.once("message", resolve));
  const mailer = createSmtpMailer({
    url: `smtp://127.0.0.1:${port}?security=none&connections=${connections}`,
  });
  const transport = createTransport({
    host: "127.0.0.1",
    port,
    pool: true,
    maxConnections: connections,
    maxMessages: 1000,
    ignoreTLS: true,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const rows = [
    await measure("posthorn: compose", mails, (number) => composeMessage(messageOf(number))),
    await measure("posthorn: compose and send", mails, async (number) => {
      const { recipients } = await mailer.send(messageOf(number));
      if (recipients[0]?.outcome !== "accepted") throw new Error(recipients[0]?.reply);
    }),
    await measure("nodemailer: compose and send", Math.ceil(mails / 4), async (number) => {
      const { from, to, subject, messageId, headers, envelope } = messageOf(number);
      await transport.sendMail({
        from,
        to,
        subject,
        messageId,
        html,
        text,
        envelope,
        headers: headers.map(({ name, value }) => ({ key: name, value })),
      });
    }),
  ];
  await mailer.close();
  transport.close();
  await sink.terminate();
  console.table(rows);
  console.log(
    JSON.stringify({ bench: "deliver-transport", node: process.version, mails, connections, rows }),
  );
}

if (isMainThread) await main();
else runSink();
