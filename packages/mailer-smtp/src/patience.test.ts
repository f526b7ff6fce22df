import type { SmtpServerAddress } from "@posthorn/core";
import { createAttachment } from "@posthorn/core/internal";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { passTime, stopTime } from "../test/pass-time.ts";
import { sampleMessage } from "../test/sample-message.ts";
import type { Script, ScriptedSession } from "../test/scripted-server.ts";
import { startScriptedServer } from "../test/start-scripted-server.ts";
import { createSmtpMailer } from "./create-smtp-mailer.ts";
import type { SmtpMailerOptions } from "./smtp-mailer-options.ts";

beforeEach(stopTime);
const patienceMs = 3_000;

/** Opens a mailer whose messages could also use another server. */
async function open(script: Script, options: Partial<SmtpMailerOptions> = {}) {
  const server = await startScriptedServer(script);
  const mailer = createSmtpMailer({
    url: "smtp://127.0.0.1:1",
    allowPrivateServers: true,
    serverConnections: 1,
    ...options,
  });
  onTestFinished(mailer.close);
  const address: SmtpServerAddress = {
    id: "a",
    version: 1,
    host: "127.0.0.1",
    port: server.port,
    security: "none",
    patienceMs,
  };
  const send = (over: object = {}, message: object = {}) =>
    mailer.send(sampleMessage({ server: { ...address, ...over }, ...message }));
  return {
    server,
    send,
    /** Sends, and advances the time once the server stops replying. */
    sendInTime: (over?: object) => passTime(send(over), { stepMs: 100, since: server.silent }),
  };
}

const silent = { inDoubt: false, held: { cause: "unreachable", retryAfterMs: 1000 } };
/** Stops replying at this command, from the given message of the connection on. */
const stalls = (command: string, at: (session: ScriptedSession) => boolean = () => true): Script => ({
  command: (line, session) => (line.startsWith(command) && at(session) ? undefined : null),
});

describe("a message is returned from a silent server if another may take it:", () => {
  test("before its greeting", async () => {
    const { sendInTime } = await open({ greeting: () => undefined });
    expect(await sendInTime()).toMatchObject(silent);
  });

  test.each(["EHLO", "MAIL", "RCPT", "DATA"])("at %s, with nothing of the content sent", async (command) => {
    const { sendInTime, server } = await open({ ...stalls(command), extensions: [] });
    expect(await sendInTime()).toMatchObject(silent);
    expect(server.contents).toEqual([]);
  });

  test("on a reused connection, without trying it on a new one first", async () => {
    const { send, sendInTime, server } = await open({
      ...stalls("MAIL", ({ message }) => message > 1),
      extensions: [],
    });
    expect((await send()).recipients).toMatchObject([{ outcome: "accepted" }]);
    expect(await sendInTime()).toMatchObject(silent);
    expect(server.sessions).toHaveLength(1);
  });

  test("but never after the final dot: that message is in doubt, and only those waiting behind it are returned", async () => {
    const { send, sendInTime, server } = await open({
      dot(_, session) {
        if (session.message === 1) return null;
        session.behind = "";
        return undefined;
      },
    });
    await send();
    const first = send();
    expect(await sendInTime()).toMatchObject(silent);
    // Ten minutes, RFC 5321 section 4.5.3.2.6.
    expect(await passTime(first, { stepMs: 60_000, since: server.silent })).toMatchObject({
      inDoubt: true,
      recipients: [{ outcome: "deferred" }],
    });
  });
});

describe("a message is returned at once from a server that fails before the final dot if another may take it:", () => {
  const file = createAttachment({
    filename: "a.bin",
    contentType: "application/octet-stream",
    // More than the system keeps for a server that does not read: Linux buffers 4 MB and more.
    content: Buffer.alloc(12_000_000),
  });
  const faults: [string, Script, object][] = [
    ["by closing at MAIL", { command: (line) => (line.startsWith("MAIL") ? "421 4.3.2 closing" : null) }, {}],
    ["by closing at RCPT", { command: (line) => (line.startsWith("RCPT") ? "421 4.3.2 closing" : null) }, {}],
    ["by closing at DATA", { command: (line) => (line.startsWith("DATA") ? "421 4.3.2 closing" : null) }, {}],
    [
      "by dying in the middle of the content",
      { content: (_, { socket }) => socket.destroy() },
      { attachments: [file] },
    ],
  ];

  test.each(faults)("%s", async (_, script, over) => {
    const { send, server } = await open(script);
    expect(await send({}, over)).toMatchObject({ inDoubt: false, held: { cause: "unreachable" } });
    expect(server.contents).toEqual([]);
  });

  test("when it stops reading in the middle of the content; the next message is tried there nevertheless", async () => {
    const stuck = Promise.withResolvers<void>();
    const { send, server } = await open({
      content(_, { socket, number }) {
        if (number > 1) return;
        socket.pause();
        stuck.resolve();
      },
    });
    const first = passTime(send({}, { attachments: [file] }), { stepMs: 500, since: stuck.promise });
    expect(await first).toMatchObject(silent);
    expect(await send()).not.toHaveProperty("held");
    expect(server.contents).toHaveLength(1);
  });

  test("but not when it defers one message and accepts others", async () => {
    let tries = 0;
    const third = Promise.withResolvers<ScriptedSession>();
    const { send } = await open({
      extensions: [],
      command(line, session) {
        if (!line.includes("bad@")) return null;
        tries += 1;
        if (tries < 3) return "451 4.7.1 sender denied";
        third.resolve(session);
        return undefined;
      },
    });
    const envelope = { from: "bad@example.org", to: ["bob@example.net"] };
    const bad = send({ connections: 2 }, { envelope });
    const { socket } = await third.promise;
    expect((await send({ connections: 2 })).recipients).toMatchObject([{ outcome: "accepted" }]);
    socket.write("451 4.7.1 sender denied\r\n");
    const { held, recipients } = await bad;
    expect(held).toBeUndefined();
    expect(recipients).toMatchObject([{ outcome: "deferred", code: 451 }]);
  });

  test("but the only server that had some of it defers the message, which may itself be the cause", async () => {
    const { send } = await open({ content: (_, { socket }) => socket.destroy() });
    const { held, recipients } = await send({ patienceMs: undefined }, { attachments: [file] });
    expect(held).toBeUndefined();
    expect(recipients).toMatchObject([{ outcome: "deferred" }]);
  });
});

test.each(["MAIL", "RCPT"])(
  "a message moves once it is refused for a limit of the server, at %s",
  async (command) => {
    const refused = Promise.withResolvers<void>();
    const { send, server } = await open({
      command(line) {
        if (!line.startsWith(command)) return null;
        refused.resolve();
        return "451 4.7.0 too many messages";
      },
    });
    const moved = await passTime(send(), { stepMs: 100, since: refused.promise });
    expect(moved).toMatchObject({ inDoubt: false, held: { cause: "limited" } });
    expect(server.commands.filter((line) => line.startsWith(command))).toHaveLength(1);
  },
);

test("a server that answers other connections meanwhile is not silent", async () => {
  let dots = 0;
  const { send, server } = await open({
    dot(_, { socket }) {
      dots += 1;
      setTimeout(() => socket.write("250 taken\r\n"), patienceMs * 0.8);
      return undefined;
    },
  });
  const sending = Promise.all(Array.from({ length: 5 }, () => send()));
  const results = await passTime(sending, { stepMs: 50, since: server.silent });
  expect(results.flatMap(({ recipients }) => recipients.map(({ outcome }) => outcome))).toEqual(
    Array(5).fill("accepted"),
  );
  expect(dots).toBe(5);
});

test("a message that waits for a place at the host does not wait for the server", async () => {
  const { send, server } = await open(
    {
      dot(_, { socket, number }) {
        if (number > 1) return null;
        setTimeout(() => socket.write("250 taken\r\n"), 3 * patienceMs);
        return undefined;
      },
    },
    { connectionsPerHost: 1 },
  );
  const sending = Promise.all([send(), send({ id: "b" })]);
  const results = await passTime(sending, { stepMs: 100, since: server.silent });
  expect(results.map(({ recipients: [one] }) => one?.outcome)).toEqual(["accepted", "accepted"]);
});

test("the only server has the full time-out", async () => {
  const { sendInTime } = await open({
    greeting({ socket }) {
      setTimeout(() => socket.write("220 late\r\n"), 29_000);
      return undefined;
    },
  });
  expect((await sendInTime({ patienceMs: undefined })).recipients).toMatchObject([{ outcome: "accepted" }]);
});
