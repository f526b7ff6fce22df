/**
 * The baselines: a bare node:http server that does one durable SQLite insert per request, with a commit for each, or
 * with one commit for all requests of the tick. `bare.ts each|grouped FILE`; prints its port.
 */
import { createServer, type ServerResponse } from "node:http";
import Sqlite from "better-sqlite3";

const [mode, file] = process.argv.slice(2);
const database = new Sqlite(file);
database.pragma("journal_mode = WAL");
database.pragma("synchronous = FULL");
database.exec("create table mails (id integer primary key, body text not null)");
const insert = database.prepare("insert into mails (body) values (?)");
const insertAll = database.transaction((bodies: string[]) => {
  for (const body of bodies) insert.run(body);
});

function answer(response: ServerResponse): void {
  response.writeHead(202, { "Content-Type": "application/json", "Content-Length": 15 });
  response.end('{"status":"ok"}');
}

let waiting: { body: string; response: ServerResponse }[] = [];
function flush(): void {
  const batch = waiting;
  waiting = [];
  insertAll(batch.map(({ body }) => body));
  for (const { response } of batch) answer(response);
}

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (piece) => {
    body += piece;
  });
  request.on("end", () => {
    JSON.parse(body);
    if (mode === "each") {
      insert.run(body);
      answer(response);
    } else if (waiting.push({ body, response }) === 1) setImmediate(flush);
  });
});
server.listen(0, "127.0.0.1", () =>
  console.log(JSON.stringify({ port: (server.address() as { port: number }).port })),
);
process.on("SIGUSR2", () => {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ cpu: user + system }));
});
