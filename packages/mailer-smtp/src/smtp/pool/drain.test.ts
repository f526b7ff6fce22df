import type { MailResult } from "@posthorn/core";
import { describe, expect, test } from "vitest";
import { accepted, deliver, named, sendAll, told } from "../../../test/named-mails.ts";
import { createTurnClock, fast, login, openPool } from "../../../test/open-pool.ts";
import type { ScriptedSession } from "../../../test/scripted-server.ts";
import { sourceOf } from "../../compose/message-source.ts";
import type { ConnectionPool } from "./create-connection-pool.ts";

/**
 * Sends as a worker does: fifty at once, and held mails again when their time has come. Returns the number of each
 * outcome.
 */
async function drain(pool: ConnectionPool, froms: string[], clock = fast) {
  const told = { accepted: 0, deferred: 0, refused: 0, held: 0, deferredFrom: new Set<string>() };
  const waiting = [...froms];
  const source = sourceOf([Buffer.from("Subject: hello\r\n\r\nhello\r\n")]);
  const send = async (from: string, envelopeId: string): Promise<MailResult> => {
    const to = ["bob@example.net"];
    const result = await pool.deliver({ from, to, source, envelopeId, isInternational: false });
    if (result.held === undefined) return result;
    told.held += 1;
    await new Promise<void>((resolve) => clock.after(result.held?.retryAfterMs ?? 0, resolve));
    return send(from, envelopeId);
  };
  const work = async () => {
    for (let from = waiting.shift(); from !== undefined; from = waiting.shift()) {
      const { outcome } = (await send(from, `${waiting.length}`)).recipients[0] ?? {};
      if (outcome === "deferred") told.deferredFrom.add(from);
      told[outcome ?? "deferred"] += 1;
    }
  };
  await Promise.all(Array.from({ length: 50 }, work));
  return told;
}
const mails = (count: number) => Array.from({ length: count }, () => "ann@example.org");
const count = (commands: string[], verb: string) => commands.filter((line) => line.startsWith(verb)).length;

test("after a hold, messages go over several connections, though one was kept", async () => {
  const unanswered: ScriptedSession[] = [];
  let answered = 0;
  const { server, pool } = await openPool({
    command: (line) => (line.startsWith("MAIL FROM:<busy") ? "451 local error" : null),
    dot(_, session) {
      if (answered === 1) {
        answered += 1;
        return null;
      }
      unanswered.push(session);
      if (unanswered.length === 3)
        for (const { socket } of unanswered.splice(0)) socket.write("250 taken\r\n");
      return undefined;
    },
  });
  const first = deliver(pool, "first");
  await server.silent;
  expect(told(await deliver(pool, "busy"))).toBe("deferred, unreachable");
  answered += 1;
  unanswered.pop()?.socket.write("250 taken\r\n");
  expect(told(await first)).toBe("accepted 250");
  await new Promise<void>((resolve) => fast.after(1000, resolve));
  expect(await sendAll(pool, named(4))).toEqual(accepted(4));
});

test("a message that alone is refused for the connections is deferred once a single one is left, over which others go", async () => {
  const { server, pool } = await openPool({
    command: (line) => (line.startsWith("MAIL FROM:<unlucky") ? "450 4.7.0 too many connections" : null),
  });
  expect(await sendAll(pool, named(5))).toEqual(accepted(5));
  let isOver = false;
  const unlucky = deliver(pool, "unlucky").finally(() => {
    isOver = true;
  });
  const work = async () => {
    while (!isOver) await deliver(pool, "lucky");
  };
  await Promise.all([work(), work(), work()]);
  expect(told(await unlucky)).toBe("deferred 450");
  expect(count(server.commands, "MAIL FROM:<unlucky")).toBeLessThan(12);
});

describe("a queue is emptied without a lost attempt", () => {
  test("when the server accepts 100 messages a session, and keeps the connection open", async () => {
    const { server, pool } = await openPool(
      {
        command: (line, { message }) =>
          line.startsWith("MAIL") && message > 100 ? "452 4.5.0 too many messages" : null,
      },
      { connections: 2, messagesPerConnection: 1000 },
    );
    expect(await drain(pool, mails(450))).toMatchObject({ accepted: 450, deferred: 0, refused: 0, held: 0 });
    // The ideal is 450 mails over five connections.
    expect(count(server.commands, "MAIL")).toBeLessThanOrEqual(460);
    expect(server.sessions.length).toBeLessThanOrEqual(10);
  });

  test.each(["at its greeting", "at MAIL", "by refusing to connect"])(
    "when the server allows two connections, and says so %s",
    async (place) => {
      let open = 0;
      let most = 0;
      const tooMany = new WeakSet<object>();
      const { server, pool } = await openPool({
        greeting: (session) => {
          open += 1;
          most = Math.max(most, open - 1);
          session.socket.once("close", () => {
            open -= 1;
          });
          if (open > 2) tooMany.add(session);
          if (open <= 2 || place === "at MAIL") return "220 test";
          if (place === "at its greeting") session.socket.end("421 4.7.0 too many connections\r\n");
          else session.socket.resetAndDestroy();
          return undefined;
        },
        command: (line, session) =>
          line.startsWith("MAIL") && tooMany.has(session) ? "421 4.7.0 too many concurrent sessions" : null,
      });
      expect(await drain(pool, mails(200))).toMatchObject({
        accepted: 200,
        deferred: 0,
        refused: 0,
        held: 0,
      });
      // Each of ten connections is tried once, and then one more at long intervals.
      expect(server.sessions.length).toBeLessThanOrEqual(20);
    },
  );

  test("when the server refuses all connections together while there are more than two", async () => {
    let open = 0;
    const { pool } = await openPool({
      greeting({ socket }) {
        open += 1;
        socket.once("close", () => {
          open -= 1;
        });
        return "220 test";
      },
      command: (line) => (line.startsWith("MAIL") && open > 2 ? "450 4.7.0 too many connections" : null),
    });
    const began = fast.now();
    expect(await drain(pool, mails(100))).toMatchObject({ accepted: 100, deferred: 0, held: 0 });
    // By the pool's clock: at a message a second it would be over a minute.
    expect(fast.now() - began).toBeLessThan(20_000);
  });

  test("when the server accepts 14 a second", async () => {
    let tokens = 14;
    let at = fast.now();
    const { server, pool } = await openPool({
      command: (line) => {
        if (!line.startsWith("MAIL")) return null;
        const now = fast.now();
        tokens = Math.min(14, tokens + ((now - at) / 1000) * 14);
        at = now;
        if (tokens < 1) return "454 Throttling failure: Maximum sending rate exceeded.";
        tokens -= 1;
        return null;
      },
    });
    expect(await drain(pool, mails(200))).toMatchObject({ accepted: 200, deferred: 0, refused: 0 });
    expect(count(server.commands, "MAIL")).toBeLessThanOrEqual(2 * 200);
  });

  test.each([
    ["RCPT", "421 4.7.0 Sending rate exceeded, closing connection"],
    ["RCPT", "421 4.3.2 Service not available"],
    ["DATA", "421 4.3.2 Service not available"],
  ])(
    "when the server accepts 14 in each second, and ends the connection at each %s beyond: %s",
    async (verb, reply) => {
      let second = 0;
      let taken = 0;
      const { server, pool } = await openPool({
        command(line, { socket }) {
          if (!line.startsWith(verb)) return null;
          const now = Math.floor(fast.now() / 1000);
          if (now !== second) [second, taken] = [now, 0];
          if (taken < 14) {
            taken += 1;
            return null;
          }
          socket.end(`${reply}\r\n`);
          return undefined;
        },
      });
      // Hardly one is unlucky again and again.
      expect((await drain(pool, mails(400))).deferred).toBeLessThan(8);
      expect(count(server.commands, "MAIL")).toBeLessThanOrEqual(1.5 * 400);
    },
  );

  test("when the settings allow 14 a second", async () => {
    const { server, pool } = await openPool({}, { maxPerSecond: 14 });
    const begin = fast.now();
    expect(await drain(pool, mails(60))).toMatchObject({ accepted: 60, deferred: 0, refused: 0 });
    expect(fast.now() - begin).toBeGreaterThanOrEqual((59 * 1000) / 14 - 100);
    expect(count(server.commands, "MAIL")).toBe(60);
  });

  test("when the password is wrong for a while, with few logins", async () => {
    let logins = 0;
    const clock = createTurnClock(100);
    const { pool } = await openPool(
      {
        extensions: ["PIPELINING", "AUTH PLAIN"],
        command: (line) =>
          line.startsWith("AUTH") ? (++logins > 3 ? "235 ok" : "535 wrong password") : null,
      },
      { login, clock },
    );
    // Holds of 30, 60 and 120 s.
    expect(await drain(pool, mails(100), clock)).toMatchObject({ accepted: 100, deferred: 0, refused: 0 });
    expect(logins).toBeLessThanOrEqual(4 + 10);
  });

  test("when one sender is deferred and others are accepted: only that one loses attempts", async () => {
    const { pool } = await openPool({
      command: (line) => (line.startsWith("MAIL") && line.includes("bad@") ? "451 not you" : null),
    });
    // Enough others come after the last of it, however slow the machine is.
    const froms = mails(400).map((from, index) =>
      index < 200 && index % 40 === 20 ? "bad@example.org" : from,
    );
    const told = await drain(pool, froms);
    expect(told).toMatchObject({ accepted: 395, deferred: 5, refused: 0, held: 0 });
    expect([...told.deferredFrom]).toEqual(["bad@example.org"]);
  });

  test("when the server is down for a while, with few connections tried", async () => {
    let lookups = 0;
    // Nobody listens at the first address: a port that was freed to be taken again could be anybody's.
    const { server, pool } = await openPool(
      {},
      {
        resolver: {
          resolve: async () => [{ address: ++lookups > 3 ? "127.0.0.1" : "127.0.0.2", family: 4 as const }],
        },
      },
    );
    expect(await drain(pool, mails(100))).toMatchObject({ accepted: 100, deferred: 0, refused: 0 });
    expect(lookups).toBeGreaterThan(3);
    expect(server.contents).toHaveLength(100);
  });
});
