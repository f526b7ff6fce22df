/**
 * The same job, hand-written: a request is stored durably, a worker in the same process renders the mail (mustache.js;
 * styles were inlined beforehand) and sends it through nodemailer's pool. `hand-made.ts sqlite FILE SMTP_PORT` does one
 * insert per request with better-sqlite3 and polls every 50 ms when idle; `hand-made.ts pg-boss DATABASE_URL SMTP_PORT`
 * uses jobs of pg-boss. Prints its port. `GET /` returns the number of delivered mails.
 */
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { convert } from "html-to-text";
import juice from "juice";
import { createTransport } from "nodemailer";
import { PgBoss } from "pg-boss";
import { css, html, subject } from "../order-mail.ts";

// mustache.js ships no types.
const Mustache: { parse(source: string): unknown; render(source: string, data: unknown): string } =
  createRequire(import.meta.url)("mustache");

interface Order {
  to: string[];
  template_data: Record<string, unknown>;
}

const [kind, place = "", smtpPort] = process.argv.slice(2);
const inlined = juice.inlineContent(html, css);
const text = convert(inlined, { wordwrap: false });
for (const source of [subject, inlined, text]) Mustache.parse(source);
const pool = createTransport({
  host: "127.0.0.1",
  port: Number(smtpPort),
  pool: true,
  maxConnections: 10,
  maxMessages: 1000,
  ignoreTLS: true,
});
let delivered = 0;

async function send({ to, template_data: data }: Order): Promise<void> {
  const render = (source: string): string => Mustache.render(source, data);
  await pool.sendMail({
    from: '"Shop" <shop@example.org>',
    to,
    subject: render(subject),
    html: render(inlined),
    text: render(text),
  });
  delivered += 1;
}

const keep = kind === "pg-boss" ? await withPgBoss() : withSqlite();
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (piece) => {
    body += piece;
  });
  request.on("end", async () => {
    const answer = JSON.stringify({ delivered });
    if (request.method === "POST") await keep(JSON.parse(body));
    response.writeHead(request.method === "POST" ? 202 : 200, {
      "Content-Type": "application/json",
      "Content-Length": answer.length,
    });
    response.end(answer);
  });
});
server.listen(0, "127.0.0.1", () =>
  console.log(JSON.stringify({ port: (server.address() as { port: number }).port })),
);

function withSqlite(): (order: Order) => void {
  const database = new Sqlite(place);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.exec(
    "create table mails (id integer primary key, body text not null, status text not null); create index waiting on mails (id) where status = 'waiting'",
  );
  const insert = database.prepare("insert into mails (body, status) values (?, 'waiting')");
  const due = database.prepare<[], { id: number; body: string }>(
    "select id, body from mails where status = 'waiting' order by id limit 100",
  );
  const settle = database.prepare("update mails set status = 'sent' where id = ?");
  const work = async (): Promise<void> => {
    for (;;) {
      const rows = due.all();
      await Promise.all(
        rows.map(async ({ id, body }) => {
          await send(JSON.parse(body));
          settle.run(id);
        }),
      );
      if (rows.length === 0) await delay(50);
    }
  };
  void work();
  return (order) => void insert.run(JSON.stringify(order));
}

async function withPgBoss(): Promise<(order: Order) => Promise<void>> {
  const boss = new PgBoss({ connectionString: place, max: 10 });
  boss.on("error", (error) => console.error(error));
  await boss.start();
  await boss.createQueue("mails");
  await boss.work<Order>("mails", { batchSize: 200, pollingIntervalSeconds: 0.5 }, async (jobs) => {
    await Promise.all(jobs.map(({ data }) => send(data)));
  });
  return async (order) => void (await boss.send("mails", order));
}
