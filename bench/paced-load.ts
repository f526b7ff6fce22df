/**
 * Sends requests at a steady rate, over as many keep-alive connections as needed: `paced-load.ts PORT RATE SECONDS
 * REQUEST_FILE`; prints the latencies in ms. Each is counted from the moment its request is written: Node's timers are up
 * to a millisecond late, which is not the server's. No request waits for an answer, so that a slow one delays no other.
 */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";

const [port, rate = "200", seconds = "4", file = ""] = process.argv.slice(2);
const request = readFileSync(file);
const total = Number(rate) * Number(seconds);
const latencies: number[] = [];
const idle: Socket[] = [];
const asked = new Map<Socket, number>();
const refused: string[] = [];

function open(): Socket {
  const socket = connect({ port: Number(port), host: "127.0.0.1", noDelay: true });
  socket.on("data", (answer) => {
    if (!answer.subarray(0, 12).toString().endsWith("202")) refused.push(answer.toString());
    latencies.push(performance.now() - (asked.get(socket) ?? 0));
    idle.push(socket);
  });
  // The server closes idle connections.
  socket.on("close", () => {
    const at = idle.indexOf(socket);
    if (at !== -1) idle.splice(at, 1);
  });
  return socket;
}

const begun = performance.now();
for (let number = 0; number < total; number += 1) {
  const due = begun + (number * 1000) / Number(rate);
  while (performance.now() < due)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
  const socket = idle.pop() ?? open();
  asked.set(socket, performance.now());
  socket.write(request);
}
while (latencies.length < total && refused.length === 0)
  await new Promise((resolve) => setTimeout(resolve, 5));
latencies.sort((a, b) => a - b);
const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
console.log(JSON.stringify({ p50: at(0.5), p99: at(0.99), refused: refused.length }));
process.exit();
