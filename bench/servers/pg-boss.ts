/**
 * The same job done with pg-boss and nodemailer: a request queues a job, a worker in the same process renders nothing and sends the mail.
 * `pg-boss.ts DATABASE_URL SMTP_PORT COUNT`; prints its port, then the seconds from the first request until COUNT mails are delivered.
 */
import { createServer } from "node:http";
import { createTransport } from "nodemailer";
import { PgBoss } from "pg-boss";
import { rendered } from "../mail.ts";

const [url = "", smtpPort, count = "1000"] = process.argv.slice(2);
const boss = new PgBoss({ connectionString: url, max: 10 });
boss.on("error", (error) => console.error(error));
await boss.start();
await boss.createQueue("mails");
const smtp = createTransport({
  host: "127.0.0.1",
  port: Number(smtpPort),
  pool: true,
  maxConnections: 10,
  maxMessages: 1000,
  ignoreTLS: true,
});
let begun = 0;
let sent = 0;
await boss.work<{ number: number; to: string }>(
  "mails",
  { batchSize: 200, pollingIntervalSeconds: 0.5 },
  async (jobs) => {
    await Promise.all(
      jobs.map(async ({ data }) => {
        await smtp.sendMail({ from: '"Shop" <shop@example.org>', to: data.to, ...rendered(data.number) });
        sent += 1;
        if (sent === Number(count))
          console.log(JSON.stringify({ seconds: (performance.now() - begun) / 1000 }));
      }),
    );
  },
);
const server = createServer((request, response) => {
  begun ||= performance.now();
  let body = "";
  request.on("data", (piece) => {
    body += piece;
  });
  request.on("end", async () => {
    const { to } = JSON.parse(body);
    await boss.send("mails", { number: 1, to: to[0] });
    response.writeHead(202, { "Content-Type": "application/json", "Content-Length": 15 });
    response.end('{"status":"ok"}');
  });
});
server.listen(0, "127.0.0.1", () =>
  console.log(JSON.stringify({ port: (server.address() as { port: number }).port })),
);
