import { describe, expect, test } from "vitest";
import { accepted, deliver, named, nameOf, sendAll, told } from "../../../test/named-mails.ts";
import { fast, openPool } from "../../../test/open-pool.ts";
import type { Script } from "../../../test/scripted-server.ts";

const at =
  (command: string, reply: string): NonNullable<Script["command"]> =>
  (line) =>
    line.startsWith(`${command}:<bad`) ? reply : null;
/** As many names; one in so many, from the first on, is that of a mail that is refused. */
const mixed = (count: number, oneIn: number): string[] =>
  named(count).map((name, index) => (index % oneIn === 0 ? `bad${index}` : name));

describe.each([
  ["recipient", at("RCPT TO", "450 4.7.1 Rate limit exceeded"), "deferred 450"],
  ["sender", at("MAIL FROM", "451 4.7.1 try again later, too much mail from you"), "deferred 451"],
  ["sender, without a word about it", at("MAIL FROM", "451 try again later"), "deferred 451"],
])("limits of a %s", (_, command, becomes) => {
  test.each([
    ["tenth", "cold", 10],
    ["tenth", "known", 10],
    ["third", "cold", 3],
    ["third", "known", 3],
    ["second", "cold", 2],
    ["second", "known", 2],
  ])("that concern each %s message of a %s server cost the others little", async (_, state, oneIn) => {
    const { server, pool } = await openPool({ command });
    if (state === "known") expect(await sendAll(pool, named(100))).toEqual(accepted(100));
    const [began, before] = [fast.now(), server.commands.length];
    const names = mixed(300, oneIn);
    const results = await sendAll(pool, names);
    expect(results).toEqual(names.map((name) => (name.startsWith("bad") ? becomes : "accepted 250")));
    // By the pool's clock; it was half an hour.
    expect(fast.now() - began).toBeLessThan(20_000);
    const tries = server.commands.slice(before).filter((line) => line.startsWith("MAIL")).length;
    // Most are tried once or twice when it is known that such limits are not the server's.
    expect(tries).toBeLessThan(300 * (1 + 1.7 / oneIn));
  });
});

test("limits of seven senders in ten hold and slow down none of the others", async () => {
  const { pool } = await openPool({ command: at("MAIL FROM", "450 4.7.1 Rate limit exceeded") });
  const began = fast.now();
  const isBad = (index: number) => (index * 7) % 10 < 7;
  const results = await sendAll(
    pool,
    named(300).map((name, index) => (isBad(index) ? `bad${index}` : name)),
  );
  expect(results.filter((_, index) => !isBad(index))).toEqual(accepted(90));
  // By the pool's clock.
  expect(fast.now() - began).toBeLessThan(20_000);
});

test("a server's own limit is kept to beside limits of each third sender", async () => {
  let second = 0;
  let taken = 0;
  const { server, pool } = await openPool({
    command(line) {
      if (line.startsWith("MAIL FROM:<bad")) return "450 4.7.1 Rate limit exceeded";
      if (!line.startsWith("MAIL")) return null;
      const now = Math.floor(fast.now() / 1000);
      if (now !== second) [second, taken] = [now, 0];
      taken += 1;
      return taken > 14 ? "450 4.7.1 slow down" : null;
    },
  });
  const [began, waiting] = [fast.now(), mixed(300, 3)];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      for (let result = await deliver(pool, name); result.held !== undefined; ) {
        const { retryAfterMs } = result.held;
        await new Promise<void>((resolve) => fast.after(retryAfterMs, resolve));
        result = await deliver(pool, name);
      }
  };
  await Promise.all(Array.from({ length: 50 }, work));
  // The ideal is 15 s for the others.
  expect(fast.now() - began).toBeLessThan(60_000);
  expect(server.contents.length).toBeGreaterThan(190);
});

test("a message refused by chance, while nearly all others get through, lowers no pace", async () => {
  let turns = 0;
  const { pool } = await openPool({
    command(line) {
      if (line.startsWith("MAIL")) turns += 1;
      return line.startsWith("MAIL") && turns % 25 === 0 ? "450 4.7.1 Rate limit exceeded" : null;
    },
  });
  const began = fast.now();
  expect(await sendAll(pool, named(500))).toEqual(accepted(500));
  // By the pool's clock; it was half a minute.
  expect(fast.now() - began).toBeLessThan(5000);
});

test("messages that may go to another server do so when refused for limits of their own, and slow nobody down", async () => {
  const { server, pool } = await openPool(
    { command: at("RCPT TO", "450 4.7.1 Rate limit exceeded") },
    { isShared: false },
  );
  const began = fast.now();
  const names = mixed(300, 10);
  const results = await sendAll(pool, names, () => ({ patience: 60_000 }));
  const becomes = results.filter((_, index) => index % 10 === 0);
  expect(results.filter((_, index) => index % 10 > 0)).toEqual(accepted(270));
  expect(new Set(becomes)).toEqual(new Set(["deferred, limited"]));
  expect(fast.now() - began).toBeLessThan(20_000);
  expect(server.commands.filter((line) => line.startsWith("RCPT")).length).toBeLessThan(270 + 2 * 30);
});

test("messages that may go to another server one by one, for limits of their own, lower no pace", async () => {
  const { pool } = await openPool(
    { command: at("RCPT TO", "450 4.7.1 Rate limit exceeded") },
    { isShared: false },
  );
  // The clock goes on while nobody waits.
  const end = fast.after(Number.POSITIVE_INFINITY, () => undefined);
  let longest = 0;
  for (const name of mixed(100, 5)) {
    const began = fast.now();
    const becomes = told(await deliver(pool, name, { patience: 60_000 }));
    expect(becomes).toBe(name.startsWith("bad") ? "deferred, limited" : "accepted 250");
    longest = Math.max(longest, fast.now() - began);
  }
  end();
  // By the pool's clock; it was a second and more.
  expect(longest).toBeLessThan(500);
});

test("messages whose content is refused for limits of their own are deferred, and the others go on", async () => {
  const { server, pool } = await openPool({
    dot: (content) => (nameOf(content).startsWith("bad") ? "451 4.7.1 Rate limit exceeded" : null),
  });
  const began = fast.now();
  const names = mixed(300, 10);
  expect(await sendAll(pool, names)).toEqual(
    names.map((name) => (name.startsWith("bad") ? "deferred 451" : "accepted 250")),
  );
  expect(fast.now() - began).toBeLessThan(20_000);
  expect(server.contents.length).toBeLessThan(270 + 3 * 30);
});

test("messages at which the server ends the connection are deferred, and hold nobody", async () => {
  const { server, pool } = await openPool({
    command(line, { socket }) {
      if (!line.startsWith("RCPT TO:<bad")) return null;
      socket.end("421 4.3.2 bye\r\n");
      return undefined;
    },
  });
  const names = mixed(300, 10);
  expect(await sendAll(pool, names)).toEqual(
    names.map((name) => (name.startsWith("bad") ? "deferred 421" : "accepted 250")),
  );
  expect(server.sessions.length).toBeLessThan(10 + 3 * 30);
});

test.each([
  ["one is settled", { gone: "550 5.1.1 nobody", becomes: "refused 550, accepted 250" }],
  [
    "they are too many for one transaction",
    { both: "554 5.5.3 too many", becomes: "accepted 250, accepted 250" },
  ],
])(
  "after a limit, a message's envelope is not sent ahead to all its recipients if %s",
  async (_, replies) => {
    const { gone, both, becomes } = { gone: null, both: null, ...replies };
    const envelopes: string[][] = [];
    let limits = 2;
    const { pool } = await openPool(
      {
        command(line) {
          if (line.startsWith("MAIL")) envelopes.push([]);
          if (!line.startsWith("RCPT TO:<bad")) return null;
          envelopes.at(-1)?.push(line);
          if (line.includes("gone")) return gone;
          const isLimited = (both === null || envelopes.at(-1)?.length === 1) && limits > 0;
          if (isLimited) limits -= 1;
          return isLimited ? "450 4.7.1 Rate limit exceeded" : null;
        },
        dot: () => (envelopes.at(-1)?.length === 2 ? both : null),
      },
      { connections: 1 },
    );
    expect(await sendAll(pool, named(20))).toEqual(accepted(20));
    const bad = deliver(pool, "bad", { to: ["bad-gone@example.net", "bad@example.net"] });
    await sendAll(pool, named(60));
    expect(told(await bad)).toBe(becomes);
    expect(envelopes.filter(({ length }) => length === 2)).toHaveLength(1);
  },
);

test("a connection that refuses one message after the other is closed, though others have carried more", async () => {
  const { server, pool } = await openPool(
    {
      command: (line, { number, message }) =>
        line.startsWith("MAIL") && number === 2 && message > 1 ? "450 4.7.1 too much mail" : null,
    },
    { connections: 2 },
  );
  expect(await sendAll(pool, named(200))).toEqual(accepted(200));
  expect(server.sessions.find(({ number }) => number === 2)?.message).toBeLessThan(8);
});

test("a message that rests is returned when its service stops", async () => {
  const { pool } = await openPool({
    command: at("RCPT TO", "450 4.7.1 Rate limit exceeded"),
    dot: () => undefined,
  });
  const stop = new AbortController();
  const good = deliver(pool, "good");
  const bad = deliver(pool, "bad", { signal: stop.signal });
  await new Promise<void>((resolve) => fast.after(50, resolve));
  stop.abort();
  expect(told(await bad)).toMatch(/, closed$/);
  pool.close();
  void good;
});
