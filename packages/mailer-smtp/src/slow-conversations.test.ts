import type { Socket } from "node:net";
import { createAttachment } from "@posthorn/core/internal";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { passTime, stopTime } from "../test/pass-time.ts";
import { sampleMessage } from "../test/sample-message.ts";
import type { Script } from "../test/scripted-server.ts";
import { startScriptedServer } from "../test/start-scripted-server.ts";
import { createSmtpMailer } from "./create-smtp-mailer.ts";
import { probeServer } from "./smtp/probe-server.ts";
import type { SmtpMailerOptions } from "./smtp-mailer-options.ts";

beforeEach(stopTime);
// Before the time is restored.
afterEach(() => vi.restoreAllMocks());

async function open(script: Script, options: Partial<SmtpMailerOptions> & { login?: string } = {}) {
  const { login = "", ...others } = options;
  const server = await startScriptedServer(script);
  const mailer = createSmtpMailer({
    url: `smtp://${login}127.0.0.1:${server.port}`,
    allowPrivateServers: true,
    ...others,
  });
  onTestFinished(mailer.close);
  const begun = performance.now();
  return {
    server,
    /** Sends, and advances the time until there is a result. */
    send: (over: object = {}) => passTime(mailer.send(sampleMessage(over)), { stepMs: 5_000 }),
    passedMs: () => performance.now() - begun,
    address: {
      id: "a",
      version: 1,
      host: "127.0.0.1",
      port: server.port,
      security: "none" as const,
    },
  };
}

const thirty = Array.from({ length: 30 }, (_, at) => `bob${at}@example.net`);
const envelope = { from: "ann@example.org", to: thirty };
/** Takes this long for each command, within the time-out of each. */
const slowAt = (command: string, ms: number): Script => ({
  extensions: [],
  command(line, { socket }) {
    if (!line.startsWith(command)) return null;
    setTimeout(() => socket.write("250 at last\r\n"), ms);
    return undefined;
  },
});
const file = createAttachment({
  filename: "a.bin",
  contentType: "application/octet-stream",
  // More than the system keeps for a server that does not read: Linux buffers 4 MB and more.
  content: Buffer.alloc(12_000_000),
});

describe("a server that is slow at each step", () => {
  test("has half an hour until the final dot, then the message is deferred", async () => {
    const { server, send, passedMs } = await open(slowAt("RCPT", 100_000));
    const { recipients, inDoubt, held } = await send({ envelope });
    expect(held).toBeUndefined();
    expect(inDoubt).toBe(false);
    expect(recipients).toHaveLength(30);
    for (const { outcome, reply } of recipients)
      expect([outcome, reply]).toEqual(["deferred", "the conversation took longer than 1800000 ms, at RCPT"]);
    expect(server.contents).toEqual([]);
    expect(server.sessions).toHaveLength(1);
    expect(passedMs()).toBeLessThan(1_900_000);
  });

  test("has no second half an hour after a connection that carried mail", async () => {
    const slow = slowAt("RCPT", 100_000);
    const { server, send, passedMs } = await open(
      {
        extensions: [],
        command: (line, session) => (session.message < 2 ? null : slow.command?.(line, session)),
      },
      { idleTime: 60_000 },
    );
    await send();
    expect((await send({ envelope })).recipients[0]?.reply).toMatch("the conversation took longer");
    expect(server.sessions).toHaveLength(1);
    expect(passedMs()).toBeLessThan(1_900_000);
  });

  test("counts what the message took on a connection that ended", async () => {
    const after = (socket: Socket, reply: string) => {
      setTimeout(() => socket.write(reply), 100_000);
      return undefined;
    };
    const { server, send } = await open(
      {
        extensions: [],
        command(line, { number, message, socket }) {
          if (number === 1 && message === 2 && line.startsWith("MAIL"))
            return after(socket, "421 4.4.2 bye\r\n");
          return number === 2 && line.startsWith("RCPT") ? after(socket, "250 at last\r\n") : null;
        },
      },
      { idleTime: 3_600_000, timeouts: { conversation: 150_000 } },
    );
    await send();
    expect((await send()).recipients).toMatchObject([
      { outcome: "deferred", reply: "the conversation took longer than 150000 ms, at RCPT" },
    ]);
    expect(server.sessions).toHaveLength(2);
  });

  test("costs no other connection when it is given up", async () => {
    const { server, send } = await open(
      {
        extensions: [],
        command(line, { socket }) {
          if (!line.startsWith("RCPT TO:<slow")) return null;
          setTimeout(() => socket.write("250 at last\r\n"), 100_000);
          return undefined;
        },
        dot(_, { socket }) {
          setTimeout(() => socket.write("250 taken\r\n"), 10_000);
          return undefined;
        },
      },
      { idleTime: 3_600_000, connections: 4 },
    );
    await send();
    await Promise.all([send(), send(), send(), send()]);
    expect(server.sessions).toHaveLength(4);
    const slow = thirty.map((address) => `slow${address}`);
    const { recipients } = await send({ envelope: { ...envelope, to: slow } });
    expect(recipients[0]?.reply).toMatch("the conversation took longer");
    expect(server.sessions.filter(({ socket }) => !socket.destroyed)).toHaveLength(3);
  });

  test("at one more connection, costs none of the others", async () => {
    const { server, send } = await open(
      {
        extensions: [],
        greeting({ number, socket }) {
          if (number < 3) return "220 test";
          setTimeout(() => socket.write("220 late\r\n"), 100_000);
          return undefined;
        },
        dot(_, { socket }) {
          setTimeout(() => socket.write("250 taken\r\n"), 10_000);
          return undefined;
        },
      },
      { idleTime: 3_600_000, connections: 3, timeouts: { conversation: 60_000 } },
    );
    await send();
    const results = await Promise.all([send(), send(), send()]);
    expect(results.flatMap(({ recipients }) => recipients.map(({ outcome }) => outcome)).sort()).toEqual([
      "accepted",
      "accepted",
      "deferred",
    ]);
    expect(server.sessions).toHaveLength(3);
    expect(server.sessions.filter(({ socket }) => !socket.destroyed)).toHaveLength(2);
  });

  test("is left for another server of the workspace, which has a quarter of an hour", async () => {
    const { send, address, passedMs } = await open(slowAt("RCPT", 100_000));
    const server = { ...address, patienceMs: 110_000 };
    expect(await send({ envelope, server })).toMatchObject({
      inDoubt: false,
      held: { cause: "unreachable", reason: "the conversation took longer than 900000 ms, at RCPT" },
    });
    expect(passedMs()).toBeLessThan(1_000_000);
  });

  test("before it has greeted and logged in, is held", async () => {
    const late = slowAt("", 250_000);
    const { send } = await open(
      {
        ...late,
        greeting({ socket }) {
          setTimeout(() => socket.write("220 late\r\n"), 250_000);
          return undefined;
        },
        command: (line, session) => late.command?.(line, session),
      },
      { timeouts: { conversation: 400_000 } },
    );
    expect(await send()).toMatchObject({
      held: { cause: "unreachable", reason: expect.any(String) },
      inDoubt: false,
      recipients: [{ outcome: "deferred" }],
      steps: expect.arrayContaining([
        expect.objectContaining({ error: "the conversation took longer than 400000 ms, at EHLO" }),
      ]),
    });
  });

  test("to read the content, is given up in the middle of it", async () => {
    const { server, send, passedMs } = await open(
      {
        content(_, { socket }) {
          socket.pause();
          setTimeout(() => socket.resume(), 60_000);
        },
      },
      { timeouts: { command: 1_700_000 } },
    );
    const { recipients, inDoubt } = await send({ attachments: [file] });
    expect(inDoubt).toBe(false);
    expect(recipients).toMatchObject([
      { outcome: "deferred", reply: "the conversation took longer than 1800000 ms, at the message" },
    ]);
    expect(server.contents).toEqual([]);
    expect(passedMs()).toBeLessThan(1_900_000);
  });

  test("still has ten minutes for the final dot, where an end would leave the message in doubt", async () => {
    const { send, passedMs } = await open({
      ...slowAt("RCPT", 100_000),
      dot(_, { socket }) {
        setTimeout(() => socket.write("250 taken\r\n"), 500_000);
        return undefined;
      },
    });
    const { recipients } = await send({ envelope: { ...envelope, to: thirty.slice(0, 17) } });
    expect(new Set(recipients.map(({ outcome }) => outcome))).toEqual(new Set(["accepted"]));
    expect(passedMs()).toBeGreaterThan(2_000_000);
  });
});

test("a test of a server tells in whole milliseconds how long it may take altogether", async () => {
  const answering = (reply: string, socket: Socket) => {
    setTimeout(() => socket.write(`${reply}\r\n`), 9_000);
    return undefined;
  };
  const server = await startScriptedServer({
    greeting: ({ socket }) => answering("220 test", socket),
    command: (_, { socket }) => answering("250-test\r\n250 AUTH PLAIN", socket),
  });
  // Stopped time has no fractions of its own.
  let fraction = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + fraction);
  const resolver = {
    async resolve() {
      fraction = 0.5;
      return [{ address: "127.0.0.1", family: 4 as const }];
    },
  };
  const probed = probeServer({
    host: "mail.example",
    port: server.port,
    security: "none",
    username: "ann",
    password: "sesame",
    clientName: "test.example",
    checksCertificate: false,
    publicOnly: false,
    resolver,
  });
  const { steps } = await passTime(probed, { stepMs: 100 });
  expect(steps.at(-1)?.error).toMatch(/^the conversation took longer than \d+ ms, at AUTH$/);
});

test("a server that leaves RSET unanswered has passed the probe", async () => {
  const server = await startScriptedServer({ command: (line) => (line === "RSET" ? undefined : null) });
  const settings = {
    host: "127.0.0.1",
    port: server.port,
    security: "none" as const,
    clientName: "test.example",
    checksCertificate: false,
    publicOnly: false,
    resolver: { resolve: async () => [{ address: "127.0.0.1", family: 4 as const }] },
  };
  const probed = probeServer(settings, { from: "ann@example.org" });
  expect(await passTime(probed, { stepMs: 100 })).toMatchObject({ ok: true });
});

test("an access token that never comes is the settings' fault", async () => {
  const { send } = await open(
    { extensions: ["AUTH XOAUTH2"] },
    { login: "ann@", accessToken: () => new Promise(() => {}), timeouts: { command: 20_000 } },
  );
  expect(await send()).toMatchObject({
    held: { cause: "settings" },
    steps: expect.arrayContaining([
      expect.objectContaining({ error: "no access token could be obtained: Error: none within 20000 ms" }),
    ]),
  });
});
