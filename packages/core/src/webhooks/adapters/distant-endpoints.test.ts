import { once } from "node:events";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { createHttpSender } from "./http-sender.ts";

test("an address that takes long to connect is not given up for another that refuses", async () => {
  // The thread stands still, and connections beyond its backlog are not answered; after the first is gone, the system's second try is.
  const stands = new Int32Array(new SharedArrayBuffer(4));
  const wake = () => {
    Atomics.store(stands, 0, 1);
    Atomics.notify(stands, 0);
  };
  const server = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
    const server = require("node:http").createServer((_, response) => response.writeHead(204).end());
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      setImmediate(() => Atomics.wait(workerData, 0, 0));
    });`,
    { eval: true, workerData: stands },
  );
  const [port] = (await once(server, "message")) as [number];
  const others = [1, 2].map(() => connect(port, "127.0.0.1"));
  await Promise.all(others.map((other) => once(other, "connect")));
  const sender = createHttpSender({
    resolver: {
      async resolve() {
        setTimeout(wake);
        return [
          { address: "127.0.0.1", family: 4 },
          { address: "127.0.0.2", family: 4 },
        ];
      },
    },
  });
  const url = `http://hook.example:${port}/`;
  const outcome = await sender.post({
    url,
    headers: {},
    body: "{}",
    timeoutMs: 3_600_000,
    allowPrivate: true,
  });
  expect(outcome).toMatchObject({ kind: "response", status: 204 });
  for (const other of others) other.destroy();
  await sender.close();
  await server.terminate();
});
