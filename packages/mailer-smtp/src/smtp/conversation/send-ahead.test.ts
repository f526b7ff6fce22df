import { once } from "node:events";
import type { MailResult } from "@posthorn/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { accepted, deliver, named, nameOf, sendAll, told } from "../../../test/named-mails.ts";
import { openPool } from "../../../test/open-pool.ts";
import { passTime, stopTime } from "../../../test/pass-time.ts";
import type { Script, ScriptedSession } from "../../../test/scripted-server.ts";
import { steadyClock } from "../pool/pool-clock.ts";

let letTimePass: () => void;
beforeEach(() => {
  letTimePass = stopTime();
});
afterEach(() => letTimePass());

const open = (script: Script, options: Parameters<typeof openPool>[1] = {}) =>
  openPool(script, { connections: 1, clock: steadyClock, ...options });

/** Notes behind which contents another envelope came, and does this with such a content. */
function noting(
  reply: (session: ScriptedSession, content: string) => string | undefined | null = () => null,
) {
  const followed: string[] = [];
  const script: Script = {
    dot(content, session) {
      if (!session.behind.includes("DATA\r\n")) return null;
      followed.push(nameOf(content));
      return reply(session, content);
    },
  };
  return { followed, script };
}

describe("the envelope of the next message is sent with the content before it", () => {
  test("once a connection has proved to support pipelining, and whenever another message waits", async () => {
    const { followed, script } = noting();
    const { pool, server } = await open(script);
    expect(await sendAll(pool, named(6))).toEqual(accepted(6));
    // The first shows pipelining, the second tries what the server makes of more; the last has nobody behind it.
    expect(followed).toEqual(["m1", "m3", "m4"]);
    expect(server.contents.map(nameOf)).toEqual(named(6));
    expect(server.commands.filter((line) => /^(?:MAIL|RCPT)/.test(line))).toEqual(
      named(6).flatMap((name) => [`MAIL FROM:<${name}@example.org>`, `RCPT TO:<${name}@example.net>`]),
    );
  });

  test("with its own parameters", async () => {
    const { followed, script } = noting();
    const { pool, server } = await open({ ...script, extensions: ["PIPELINING", "SIZE 1000", "SMTPUTF8"] });
    const isInternational = (name: string) => ({ isInternational: name === "m4" });
    expect(await sendAll(pool, named(6), isInternational)).toEqual(accepted(6));
    expect(followed).toContain("m3");
    expect(server.commands).toContain("MAIL FROM:<m4@example.org> SIZE=22 BODY=8BITMIME SMTPUTF8");
    expect(server.commands).toContain("MAIL FROM:<m5@example.org> SIZE=22");
  });

  test("but never if the server offers no pipelining", async () => {
    const { followed, script } = noting();
    const { pool } = await open({ ...script, extensions: [] });
    expect(await sendAll(pool, named(5))).toEqual(accepted(5));
    expect(followed).toEqual([]);
  });

  test("but not for a message that the server can't accept", async () => {
    const { script } = noting();
    const { pool, server } = await open(script);
    const isInternational = (name: string) => ({ isInternational: name === "m4" });
    expect(await sendAll(pool, named(6), isInternational)).toEqual(accepted(6).with(4, "refused 553"));
    expect(server.commands.join()).not.toContain("m4");
  });

  test("up to the connection's limit of messages", async () => {
    const { followed, script } = noting();
    const { pool, server } = await open(script, { messagesPerConnection: 4 });
    expect(await sendAll(pool, named(12))).toEqual(accepted(12));
    expect(server.sessions.map(({ message }) => message)).toEqual([4, 4, 4]);
    expect(followed).toEqual(["m1", "m4", "m5", "m6", "m8", "m9", "m10"]);
  });
});

describe("a server that mishandles an envelope behind a content gets no more of them, and every message once", () => {
  const confused: [string, (session: ScriptedSession) => string | undefined | null][] = [
    [
      "by losing a part of it",
      (session) => {
        session.behind = session.behind.slice(12);
        return null;
      },
    ],
    ["by refusing the content", () => "554 5.5.0 synchronization error"],
    ["by deferring the content", () => "451 4.5.0 too early"],
    [
      "by hanging up",
      ({ socket }) => {
        socket.end("250 taken\r\n");
        return undefined;
      },
    ],
    [
      "by losing it",
      (session) => {
        session.behind = "";
        return null;
      },
    ],
  ];
  test.each(confused)("%s", async (way, confuse) => {
    const { followed, script } = noting(confuse);
    const inOrder = createOrder();
    const { pool, server } = await open({
      ...script,
      command: (line, session) =>
        /^(?:EHLO|MAIL|RCPT|DATA|RSET|QUIT)/.test(line) ? inOrder(line, session) : "500 what?",
    });
    expect(await passTime(sendAll(pool, named(8)), { stepMs: 100 })).toEqual(accepted(8));
    expect(followed).toEqual(["m1"]);
    expect(server.contents).toHaveLength(way.endsWith("the content") ? 9 : 8);
    expect(new Set(server.contents.map(nameOf))).toEqual(new Set(named(8)));
  });

  test("if it closes without a reply, only the content is in doubt", async () => {
    const { followed, script } = noting(({ socket }) => {
      socket.destroy();
      return undefined;
    });
    const { pool, server } = await open(script);
    expect(await sendAll(pool, named(8))).toEqual(accepted(8).with(1, "deferred, in doubt"));
    expect(server.contents).toHaveLength(8);
    vi.advanceTimersByTime(3_600_000);
    expect(await sendAll(pool, named(8))).toEqual(accepted(8));
    expect(followed).toEqual(["m1"]);
  });
});

/** A server that wants its commands in order (RFC 5321 section 4.1.4). */
function createOrder() {
  const hasSender = new WeakSet<ScriptedSession>();
  return (line: string, session: ScriptedSession): string | null => {
    if (line.startsWith("MAIL")) hasSender.add(session);
    else if (/^(?:RCPT|DATA)/.test(line) && !hasSender.has(session)) return "503 5.5.1 no sender yet";
    if (line === "DATA") hasSender.delete(session);
    return null;
  };
}

describe("the result of one message is not given to the other", () => {
  const at =
    (name: string, reply: string): NonNullable<Script["dot"]> =>
    (content: string) =>
      nameOf(content) === name ? reply : null;

  test.each(["550 5.7.1 no", "451 4.7.1 later"])("when a content is answered %s", async (reply) => {
    const { pool, server } = await open({ dot: at("m4", reply) });
    const outcome = `${reply.startsWith("5") ? "refused" : "deferred"} ${reply.slice(0, 3)}`;
    expect(await sendAll(pool, named(8))).toEqual(accepted(8).with(4, outcome));
    expect(server.sessions).toHaveLength(1);
    expect(server.commands).not.toContain("RSET");
  });

  test("when the server closes after a content", async () => {
    const { pool, server } = await open({
      dot(content, { socket }) {
        if (nameOf(content) !== "m4") return null;
        socket.end("421 4.3.2 going down\r\n");
        return undefined;
      },
    });
    expect(await sendAll(pool, named(8))).toEqual(accepted(8).with(4, "deferred 421"));
    expect(server.contents).toHaveLength(8);
  });

  test("when the connection is lost before a content is answered", async () => {
    const { pool, server } = await open({
      dot(content, { socket }) {
        if (nameOf(content) !== "m4") return null;
        socket.destroy();
        return undefined;
      },
    });
    expect(await sendAll(pool, named(8))).toEqual(accepted(8).with(4, "deferred, in doubt"));
    expect(server.contents.map(nameOf).filter((name) => name === "m5")).toHaveLength(1);
  });

  test.each(["354 go on", "554 5.5.1 no valid recipients"])(
    "when no recipient is accepted, and DATA is answered %s",
    async (data) => {
      const refuses = (line: string) => line.startsWith("RCPT") && line.includes("bad");
      const refused = new WeakSet<ScriptedSession>();
      const { pool, server } = await open({
        command(line, session) {
          if (line.startsWith("MAIL")) refused.delete(session);
          if (refuses(line)) refused.add(session);
          if (line === "DATA" && refused.has(session)) return data;
          return refuses(line) ? "550 5.1.1 nobody here" : null;
        },
      });
      const to = (name: string) => (name === "m4" ? { to: ["bad@example.net"] } : {});
      expect(await sendAll(pool, named(8), to)).toEqual(accepted(8).with(4, "refused 550"));
      expect(server.contents.map(nameOf)).toEqual(named(8).toSpliced(4, 1));
    },
  );

  test("when one of two recipients is accepted", async () => {
    const { pool, server } = await open({
      command: (line) => (line.startsWith("RCPT") && line.includes("bad") ? "550 5.1.1 nobody here" : null),
    });
    const to = (name: string) => (name === "m4" ? { to: ["bad@example.net", "good@example.net"] } : {});
    expect(await sendAll(pool, named(8), to)).toEqual(accepted(8).with(4, "refused 550, accepted 250"));
    expect(server.contents.map(nameOf)).toEqual(named(8));
  });

  test.each([2, 4])("when m%d's sender is refused: it is retried with nothing before it", async (which) => {
    const reply = which === 2 ? "450 4.1.8 not yet" : "553 5.1.8 no such sender";
    const isHit = (line: string) => line.startsWith(`MAIL FROM:<m${which}@`);
    const { pool, server } = await open({ command: (line) => (isHit(line) ? reply : null) });
    const told = which === 2 ? "deferred 450" : "refused 553";
    expect(await sendAll(pool, named(8))).toEqual(accepted(8).with(which, told));
    expect(server.commands.filter(isHit)).toHaveLength(2);
  });
});

describe("a message whose envelope is sent, but not its content,", () => {
  /** Sends mails until the envelope of `m4` is out behind the content of `m3`, which the server leaves unanswered. */
  async function holdBack(options: Parameters<typeof openPool>[1] = {}) {
    const isOut = Promise.withResolvers<ScriptedSession>();
    const { pool, server } = await open(
      {
        dot(content, session) {
          if (nameOf(content) !== "m3") return null;
          expect(session.behind).toMatch(/^MAIL FROM:<m4@.*\r\nDATA\r\n$/s);
          session.behind = "";
          isOut.resolve(session);
          return undefined;
        },
      },
      options,
    );
    const stopping = new AbortController();
    const owner = { isOurs: true };
    const last = { signal: stopping.signal, isStillOurs: () => owner.isOurs };
    const sent = named(5).map((name) => deliver(pool, name, name === "m4" ? last : {}));
    const session = await isOut.promise;
    return { pool, server, stopping, owner, session, sent };
  }

  test.each(["its service stops", "the pool is closed"])("is returned at once if %s", async (why) => {
    const { pool, server, stopping, session, sent } = await holdBack();
    if (why === "its service stops") stopping.abort();
    else pool.close();
    expect(told((await sent[4]) as MailResult)).toBe("deferred, closed");
    session.socket.write("250 taken\r\n250 ok\r\n250 ok\r\n354 go on\r\n");
    expect(told((await sent[3]) as MailResult)).toBe("accepted 250");
    if (!session.socket.destroyed) await once(session.socket, "close");
    expect(server.contents.map(nameOf)).toEqual(named(4));
    // Whatever it sent would have been content.
    expect(server.commands.at(-1)).toBe("DATA");
  });

  test("is returned if another process has it by then, and nothing more is sent where its content is due", async () => {
    const { pool, server, owner, session, sent } = await holdBack();
    owner.isOurs = false;
    session.socket.write("250 taken\r\n");
    expect(told((await sent[3]) as MailResult)).toBe("accepted 250");
    const next = deliver(pool, "m5");
    session.socket.write("250 ok\r\n250 ok\r\n354 go on\r\n");
    expect(told((await sent[4]) as MailResult)).toBe("deferred, closed");
    expect(told(await next)).toBe("accepted 250");
    expect(server.contents.map(nameOf)).toEqual([...named(4), "m5"]);
    expect(server.sessions).toHaveLength(2);
  });

  test("is sent over another connection if the content before it takes the server long", async () => {
    const { pool, server, session, sent } = await holdBack();
    pool.setConnections(2);
    expect(told(await passTime(sent[4] ?? Promise.reject(), { stepMs: 100 }))).toBe("accepted 250");
    session.socket.write("250 taken\r\n");
    expect(told((await sent[3]) as MailResult)).toBe("accepted 250");
    expect(server.contents.map(nameOf)).toEqual(named(5));
  });
});
