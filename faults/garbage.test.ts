import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { needFile } from "./needs.ts";
import { openFaultWorld, times } from "./open-fault-world.ts";

/** Ms for which the server sends nonsense. */
const whileMs = 15_000;

/** Input that is invalid in any protocol: bytes, endless lines, unknown codes, NULs, a flood, or silence. */
const nonsense: ((socket: Socket) => void)[] = [
  (socket) => void socket.write(randomBytes(4_096)),
  (socket) => void socket.write(`${"x".repeat(200_000)}`),
  (socket) => void socket.write("999 no such code\r\n000\r\n1\r\n-\r\n"),
  (socket) => void socket.write("\0\0\0\r\n\r\n\r\n"),
  (socket) => void socket.write("abc\r\n".repeat(100_000)),
  (socket) => void socket.end(),
  () => {},
];

/** Starts a server on loopback that replies with nonsense to everything; returns its port. */
async function speakNonsense(): Promise<number> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    const answer = () => {
      turn += 1;
      if (!socket.destroyed) nonsense[turn % nonsense.length]?.(socket);
    };
    answer();
    socket.on("data", answer);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

const residentMb = (pid: number | undefined): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

test("a mail server that sends garbage: e-mails wait, memory stays bounded, and delivery resumes once it behaves", async (context) => {
  needFile(context, "/proc/self/status");
  const world = await openFaultWorld();
  const served = await world.serve();
  expect(await times(20, served.send)).toEqual(Array(20).fill(202));
  await world.settled();
  const before = residentMb(served.child.pid);
  world.leadMail(`smtp://127.0.0.1:${await speakNonsense()}`);
  const sending = times(40, served.send);
  await delay(whileMs);
  expect(await sending).toEqual(Array(40).fill(202));
  const after = residentMb(served.child.pid);
  world.cutMail();
  const { lost, ghosts, twice } = await world.settled(240_000);
  expect({ lost, ghosts, twice }).toEqual({ lost: [], ghosts: [], twice: 0 });
  expect(after - before).toBeLessThan(60);
  await served.stop();
  context.task.meta.figures = `60 mails, 0 lost, 0 twice; ${Math.round(before)} MB before, ${Math.round(after)} MB meanwhile`;
});

test("webhook receivers that send garbage: other webhooks and e-mails continue", async (context) => {
  needFile(context, "/proc/self/status");
  const env = { SERVICE_WEBHOOK_ALLOW_PRIVATE: "true" };
  const world = await openFaultWorld({ env });
  const good = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => socket.end("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"));
  }).listen(0, "127.0.0.1");
  await once(good, "listening");
  onTestFinished(() => void good.close());
  const ports = [await speakNonsense(), (good.address() as AddressInfo).port];
  const served = await world.serve({ env });
  // Memory is compared once everything is loaded that sending needs.
  expect(await times(20, served.send)).toEqual(Array(20).fill(202));
  await world.settled();
  const before = residentMb(served.child.pid);
  const call = { workspaceId: world.workspaceId };
  const [bad, fine] = await Promise.all(
    ports.map((port) =>
      world.posthorn.webhooks.create({ url: `http://127.0.0.1:${port}/`, events: ["email.sent"] }, call),
    ),
  );
  expect(await times(60, served.send)).toEqual(Array(60).fill(202));
  const { lost, twice } = await world.settled();
  expect({ lost, twice }).toEqual({ lost: [], twice: 0 });
  const delivered = async () => {
    const { items } = await world.posthorn.webhooks.listDeliveries(
      { webhookId: fine?.id ?? "", size: 100 },
      call,
    );
    return items.filter(({ status }) => status === "delivered").length;
  };
  await expect.poll(delivered, { timeout: 60_000, interval: 200 }).toBe(60);
  const { items } = await world.posthorn.webhooks.listDeliveries(
    { webhookId: bad?.id ?? "", size: 100 },
    call,
  );
  expect(items.filter(({ status }) => status === "delivered")).toEqual([]);
  const after = residentMb(served.child.pid);
  expect(after - before).toBeLessThan(80);
  await served.stop();
  context.task.meta.figures = `60 webhooks delivered beside; ${Math.round(before)} MB before, ${Math.round(after)} MB after`;
});
