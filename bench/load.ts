/**
 * A load generator with little overhead: keep-alive connections over node:net, one request in flight on each, responses
 * delimited by Content-Length. It runs as a separate process: `load.ts PORT CONNECTIONS SECONDS REQUEST_FILE
 * [REQUESTS]`, and prints one JSON line.
 */
import { readFileSync } from "node:fs";
import { connect } from "node:net";

const [port, connections, seconds, file, requests = "0"] = process.argv.slice(2);
const request = readFileSync(file ?? "");
const latencies: number[] = [];
const statuses: Record<string, number> = {};
let running = true;
let left = Number(requests) || Number.POSITIVE_INFINITY;

function run(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: "127.0.0.1", noDelay: true });
    let begun = 0;
    let rest = "";
    const ask = (): void => {
      left -= 1;
      begun = performance.now();
      socket.write(request);
    };
    socket.on("connect", ask);
    socket.on("error", reject);
    socket.on("close", () => resolve());
    socket.on("data", (piece) => {
      rest += piece.toString("latin1");
      const end = rest.indexOf("\r\n\r\n");
      if (end === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(rest)?.[1] ?? 0);
      if (rest.length < end + 4 + length) return;
      const status = rest.slice(9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      latencies.push(performance.now() - begun);
      rest = rest.slice(end + 4 + length);
      if (running && left > 0) ask();
      else socket.end();
    });
  });
}

const begun = performance.now();
setTimeout(() => {
  running = false;
}, Number(seconds) * 1000);
await Promise.all(Array.from({ length: Number(connections) }, run));
const elapsed = (performance.now() - begun) / 1000;
latencies.sort((a, b) => a - b);
const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
console.log(JSON.stringify({ perSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), statuses }));
