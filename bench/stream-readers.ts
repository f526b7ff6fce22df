/**
 * Readers of the administrators' event stream: `stream-readers.ts PORT COUNT FILTER`. Prints a line once all are
 * connected, and at SIGUSR2 the number of events that all of them got.
 */
import { request } from "node:http";

const [port, count, filter = ""] = process.argv.slice(2);
const base = `http://127.0.0.1:${port}/api/v1`;
const login = await fetch(`${base}/auth/login`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ email: "ann@example.com", password: "correct horse battery" }),
});
if (!login.ok) throw new Error(`the login was refused: ${await login.text()}`);
const { token } = ((await login.json()) as { data: { token: string } }).data;

let events = 0;
const open = () =>
  new Promise<void>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    request(`${base}/admin/events/stream?${filter}`, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`the stream answered ${response.statusCode}`));
      response.on("data", (chunk: Buffer) => {
        for (let at = chunk.indexOf("data: "); at !== -1; at = chunk.indexOf("data: ", at + 6)) events += 1;
        resolve();
      });
    })
      .on("error", reject)
      .end();
  });
for (let opened = 0; opened < Number(count); opened += 50)
  await Promise.all(Array.from({ length: Math.min(50, Number(count) - opened) }, open));
console.log(JSON.stringify({ ready: true }));
process.on("SIGUSR2", () => console.log(JSON.stringify({ events })));
process.on("SIGTERM", () => process.exit());
