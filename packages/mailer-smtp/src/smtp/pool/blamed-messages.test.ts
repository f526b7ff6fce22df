import { describe, expect, test } from "vitest";
import { accepted, deliver, named, nameOf, sendAll, told } from "../../../test/named-mails.ts";
import { fast, openPool } from "../../../test/open-pool.ts";
import type { Script, ScriptedSession } from "../../../test/scripted-server.ts";

const end: Script["command"] = (line, { socket }) => {
  if (!line.startsWith("RCPT TO:<bad")) return null;
  socket.end("421 4.3.2 bye\r\n");
  return undefined;
};
const defer: Script["command"] = (line) =>
  line.startsWith("MAIL FROM:<bad") ? "417 DNS lookup failure: example.org. Try again later." : null;
const elapse = (ms: number) => new Promise<void>((resolve) => fast.after(ms, resolve));

test.each([
  ["at whose recipient a server ends each connection", end, "deferred 421"],
  ["whose sender a server defers without a word about it", defer, "deferred 417"],
])("a message %s holds the others once, until one of them is accepted", async (_, command, becomes) => {
  const { pool } = await openPool({ command });
  expect(told(await deliver(pool, "bad"))).toMatch(/, unreachable$/);
  await elapse(1000);
  expect(told(await deliver(pool, "one"))).toBe("accepted 250");
  for (const name of ["two", "three"]) {
    expect(told(await deliver(pool, "bad"))).toBe(becomes);
    expect(told(await deliver(pool, name))).toBe("accepted 250");
  }
});

test("a server that ends each connection holds all, though some of its messages were to blame before", async () => {
  let isBroken = false;
  const { pool } = await openPool({
    command: (line, session) =>
      isBroken ? end(line.replace(/TO:<\w+/, "TO:<bad"), session) : end(line, session),
  });
  expect(told(await deliver(pool, "bad"))).toMatch(/unreachable$/);
  await elapse(1000);
  expect(told(await deliver(pool, "one"))).toBe("accepted 250");
  isBroken = true;
  expect(told(await deliver(pool, "bad"))).toBe("deferred 421");
  expect(told(await deliver(pool, "two"))).toMatch(/unreachable$/);
});

test("a server that ends each connection at MAIL holds the only message, which loses no attempt", async () => {
  const { server, pool } = await openPool({
    command(line, { socket }) {
      if (!line.startsWith("MAIL")) return null;
      socket.end("421 4.3.2 bye\r\n");
      return undefined;
    },
  });
  expect(told(await deliver(pool, "only"))).toBe("deferred, unreachable");
  expect(server.sessions).toHaveLength(3);
});

test("a message whose recipient has a limit of its own is deferred, later at once, and moves once another server may take it", async () => {
  const { server, pool } = await openPool({
    command: (line) => (line.startsWith("RCPT TO:<bad") ? "450 4.7.1 Rate limit exceeded" : null),
  });
  const bad = deliver(pool, "bad");
  let became: string | undefined;
  void bad.then((result) => {
    became = told(result);
  });
  for (let n = 0; became === undefined && n < 100; n += 1) await deliver(pool, `m${n}`);
  expect(became).toBe("deferred 450");
  const before = server.commands.length;
  expect(told(await deliver(pool, "bad"))).toBe("deferred 450");
  expect(server.commands.slice(before).filter((line) => line.startsWith("RCPT"))).toHaveLength(1);
  // It was without another server.
  expect(told(await deliver(pool, "bad", { patience: 60_000 }))).toBe("deferred, limited");
});

test("a sender that a workspace's server defers without a reason holds nobody, three senders hold all", async () => {
  const { pool } = await openPool(
    { command: (line) => (line.startsWith("MAIL") ? "451 try again later" : null) },
    { isShared: false },
  );
  const sent: string[] = [];
  for (const name of ["a", "a", "a", "b", "c"]) sent.push(told(await deliver(pool, name)));
  expect(sent).toEqual([...Array(4).fill("deferred 451"), "deferred, unreachable"]);
});

test("a message at whose recipient a server ends each connection leaves the others all of theirs", async () => {
  let used = new Set<ScriptedSession>();
  const { pool } = await openPool({
    // Nothing is to be sent ahead of replies that come later.
    extensions: [],
    command: end,
    // Long enough for all connections to be used.
    dot(_, session) {
      used.add(session);
      fast.after(500, () => session.socket.write("250 taken\r\n"));
      return undefined;
    },
  });
  const [bad, goods] = await Promise.all([
    deliver(pool, "good").then(() => deliver(pool, "bad")),
    sendAll(pool, named(200)),
  ]);
  expect([told(bad), goods]).toEqual(["deferred 421", accepted(200)]);
  used = new Set();
  expect(await sendAll(pool, named(60))).toEqual(accepted(60));
  expect(used.size).toBe(10);
});

test.each(["451 4.7.1 Rate limit exceeded", "451 4.7.0 Too many concurrent sessions"])(
  "a message at whose content a server says %j is sent three times, and waits: at once each would be in full again",
  async (reply) => {
    const { server, pool } = await openPool({
      dot: (content) => (nameOf(content) === "bad" ? reply : null),
    });
    expect(told(await deliver(pool, "bad"))).toMatch(/, limited$/);
    expect(server.contents).toHaveLength(3);
    // Others are accepted meanwhile: the limit is its own.
    await elapse(10_000);
    let became: string | undefined;
    void deliver(pool, "bad").then((result) => {
      became = told(result);
    });
    for (let n = 0; became === undefined && n < 100; n += 1) await deliver(pool, `m${n}`);
    expect(became).toBe("deferred 451");
    expect(server.contents.filter((content) => nameOf(content) === "bad").length).toBeLessThanOrEqual(6);
  },
);

describe("of several recipients, those at whom a server ends the connection are deferred, and the others get the message:", () => {
  test.each([
    ["the first", ["bad", "a", "b"]],
    ["the last", ["a", "b", "bad"]],
    ["two", ["bad1", "a", "bad2", "b"]],
  ])("%s", async (_, names) => {
    for (const extensions of [["PIPELINING"], []])
      for (const reply of ["421 4.3.2 bye\r\n", ""]) {
        const { server, pool } = await openPool({
          extensions,
          command(line, { socket }) {
            if (!line.startsWith("RCPT TO:<bad")) return null;
            socket.end(reply);
            return undefined;
          },
        });
        const { recipients, held } = await deliver(pool, "m", {
          to: names.map((name) => `${name}@example.net`),
        });
        expect(held).toBeUndefined();
        expect(recipients.map(({ outcome }) => outcome)).toEqual(
          names.map((name) => (name.startsWith("bad") ? "deferred" : "accepted")),
        );
        expect(server.contents).toHaveLength(1);
      }
  });
});

test.each([
  ["nine of ten, the first of them", 9, 1],
  ["the first three of each of thirty messages", 3, 30],
])("of %s, at whom a server ends the connection, only these are deferred", async (_, bad, count) => {
  const { server, pool } = await openPool({ command: end });
  const to = named(10).map((name, at) => `${at < bad ? `bad${at}` : name}@example.net`);
  const results = await Promise.all(named(count).map((name) => deliver(pool, name, { to })));
  expect(results.map(({ recipients }) => recipients.map(({ outcome }) => outcome))).toEqual(
    Array.from({ length: count }, () => to.map((_, at) => (at < bad ? "deferred" : "accepted"))),
  );
  expect(server.contents).toHaveLength(count);
});

test("a server that ends the connection at each recipient holds a message to several", async () => {
  const { server, pool } = await openPool({
    command: (line, session) => end(line.replace(/TO:<\w+/, "TO:<bad"), session),
  });
  expect(told(await deliver(pool, "m", { to: ["a@example.net", "b@example.net", "c@example.net"] }))).toMatch(
    /unreachable$/,
  );
  expect(server.sessions.length).toBeLessThan(8);
});

test.each(["421 4.3.2 bye", "421 4.7.0 Too many concurrent connections"])(
  "a server that ends each connection at the first recipient by %j is asked little more by messages to many, and holds all",
  async (reply) => {
    const { server, pool } = await openPool({
      command(line, { socket }) {
        if (!line.startsWith("RCPT")) return null;
        socket.end(`${reply}\r\n`);
        return undefined;
      },
    });
    const to = named(12).map((name) => `${name}@example.net`);
    const results = await Promise.all(named(30).map((name) => deliver(pool, name, { to })));
    expect(results.filter(({ held }) => held === undefined)).toEqual([]);
    expect(server.sessions.length).toBeLessThan(30);
  },
);
