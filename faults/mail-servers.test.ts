import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { operatorCall } from "../packages/cli/src/program/connection/operator-call.ts";
import { expectExplained } from "./expect-explained.ts";
import type { Fault, ProcessMessage } from "./mail-server-process.ts";
import { openFaultWorld } from "./open-fault-world.ts";

/** `FAULTS_MAIL_SERVER_ROUNDS=10`: repetitions of each fault. */
const rounds = Number(process.env["FAULTS_MAIL_SERVER_ROUNDS"] ?? 1);
/** Ms within which an urgent mail is sent after its server's death (platform.md P5). */
const urgentMs = 5_000;

interface ServerProcess {
  port: number;
  say(fault: Fault): void;
  signal(signal: NodeJS.Signals): void;
  restart(): Promise<void>;
}

/** Starts a mail server in a separate process, which reports each mail that it accepts. */
async function startServer(onTaken: (id: string) => void): Promise<ServerProcess> {
  let child: ChildProcess;
  const start = (port: number): Promise<number> =>
    new Promise((resolve) => {
      child = fork(new URL("mail-server-process.ts", import.meta.url), [String(port)]);
      child.on("message", (told: ProcessMessage) =>
        "port" in told ? resolve(told.port) : onTaken(told.took),
      );
    });
  const port = await start(0);
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    port,
    say: (fault) => void child.send(fault),
    signal: (signal) => void child.kill(signal),
    restart: async () => void (await start(port)),
  };
}

type Strike = [
  name: string,
  strike: (server: ServerProcess) => void,
  heal: (server: ServerProcess) => unknown,
];
const say = (name: string, fault: Fault): Strike => [
  name,
  (server) => server.say(fault),
  (server) => server.say({ at: "none" }),
];
const phases = ["greeting", "EHLO", "MAIL", "RCPT", "DATA"] as const;
const strikes: Strike[] = [
  ["killed", (server) => server.signal("SIGKILL"), (server) => server.restart()],
  ["frozen", (server) => server.signal("SIGSTOP"), (server) => server.signal("SIGCONT")],
  ...phases.map((at) => say(`silent at ${at}`, { at })),
  ...phases.map((at) => say(`refusing at ${at}`, { at, reply: "421 4.3.2 shutting down" })),
];

test("three mail servers of a workspace that die, freeze, stall and refuse in turn", {
  timeout: 600_000 * rounds,
}, async ({ task }) => {
  const env = { SERVICE_WEBHOOK_ALLOW_PRIVATE: "true", SERVICE_LOG_LEVEL: "error" };
  const world = await openFaultWorld({ env });
  const { posthorn, workspaceId, apiKey, copies } = world;
  const at = operatorCall(workspaceId);
  await posthorn.settings.update({ platformServer: false }, at);
  const arrived = new Map<string, number>();
  const onTaken = (id: string) => {
    copies.set(id, (copies.get(id) ?? 0) + 1);
    arrived.set(id, arrived.get(id) ?? performance.now());
  };
  const servers = await Promise.all([0, 1, 2].map(() => startServer(onTaken)));
  const set = await Promise.all(
    servers.map(({ port }, place) => {
      const address = { host: "127.0.0.1", port, security: "none" } as const;
      return posthorn.smtpServers.create({ name: `s${place}`, ...address, priority: place }, at);
    }),
  );
  const served = await world.serve({ env });
  const urgent = async (): Promise<string> => {
    const mail = {
      from: "shop@shop.example",
      to: ["a@example.com"],
      subject: "now",
      text: "x",
      priority: "high",
    };
    const response = await fetch(`${served.url}/api/v1/emails/send`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
      body: JSON.stringify(mail),
    });
    const { data } = (await response.json()) as { data: { id: string } };
    world.accepted.add(data.id);
    return data.id;
  };

  /** Describes the attempts of an urgent mail that was late. */
  const explain = async ([ms, fault, emailId]: [number, string, string]) => {
    const { timeline } = await posthorn.emails.get({ emailId }, operatorCall("all"));
    return { ms, fault, timeline };
  };
  const slowest: [ms: number, fault: string, id: string][] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, strike, heal] of strikes) {
      const [first] = servers;
      if (first === undefined) throw new Error("no server");
      // This change clears what is known of the servers since the last fault.
      for (const { id } of set)
        for (const isActive of [false, true])
          await posthorn.smtpServers.update({ smtpServerId: id, isActive }, at);
      const load = Promise.all(Array.from({ length: 40 }, served.send));
      await delay(50 + Math.random() * 150);
      strike(first);
      for (const waited of [0, 300, 2_000]) {
        await delay(waited);
        const began = performance.now();
        const id = await urgent();
        await expect
          .poll(() => arrived.has(id), {
            timeout: 60_000,
            interval: 10,
            message: `urgent, ${name}, ${waited}`,
          })
          .toBe(true);
        slowest.push([Math.round((arrived.get(id) ?? 0) - began), `${name}, after ${waited} ms`, id]);
      }
      expect(await load).toEqual(Array(40).fill(202));
      await heal(first);
    }
  }
  // An attempt in doubt is retried after a minute.
  const { lost, ghosts, twice } = await world.settled(180_000);
  slowest.sort(([a], [b]) => b - a);
  task.meta.figures = `${world.accepted.size} mails, ${lost.length} lost, ${twice} twice; the slowest urgent ones: ${slowest
    .slice(0, 3)
    .map(([ms, name]) => `${ms} ms (${name})`)
    .join(", ")}`;
  expect({ lost, ghosts }).toEqual({ lost: [], ghosts: [] });
  await expectExplained(world);
  expect(await Promise.all(slowest.filter(([ms]) => ms > urgentMs).map(explain))).toEqual([]);
  await served.stop();
});
