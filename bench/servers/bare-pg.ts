/**
 * The baseline on PostgreSQL: a bare node:http server that does one `pg` insert per request. `bare-pg.ts DATABASE_URL`;
 * prints its port.
 */
import { createServer } from "node:http";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });
await pool.query("create table if not exists bare_mails (id bigserial primary key, body text not null)");
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (piece) => {
    body += piece;
  });
  request.on("end", async () => {
    JSON.parse(body);
    await pool.query("insert into bare_mails (body) values ($1)", [body]);
    response.writeHead(202, { "Content-Type": "application/json", "Content-Length": 15 });
    response.end('{"status":"ok"}');
  });
});
server.listen(0, "127.0.0.1", () =>
  console.log(JSON.stringify({ port: (server.address() as { port: number }).port })),
);
