import { expect, test } from "vitest";
import { fast, openPool } from "../../../test/open-pool.ts";
import { sourceOf } from "../../compose/message-source.ts";

const source = sourceOf([Buffer.from("Subject: hello\r\n\r\nhello\r\n")]);
const delivery = { from: "ann@example.org", to: ["bob@example.net"], source, isInternational: false };

/** Opens a pool to a server that refuses some messages of some connections; returns `send`, which tells how many connections there were. */
async function openRefusing(
  refuses: (connection: number, message: number) => boolean,
  { reply = "421 4.7.0 bye", now = fast.now } = {},
) {
  const { server, pool } = await openPool(
    {
      command: (line, { number, message }) =>
        line.startsWith("MAIL") && refuses(number, message) ? reply : null,
    },
    { clock: { now, after: fast.after } },
  );
  return async (): Promise<number> => {
    const { recipients } = await pool.deliver(delivery);
    expect(recipients[0]?.outcome).toBe("accepted");
    return server.sessions.length;
  };
}

test("a refusal that a new connection meets as well says nothing about how many messages one carries", async () => {
  const refused = ["1/2", "2/1", "3/2", "4/1"];
  const send = await openRefusing((connection, message) => refused.includes(`${connection}/${message}`));
  const taken: number[] = [];
  for (let mail = 0; mail < 5; mail += 1) taken.push(await send());
  expect(taken).toEqual([1, 3, 5, 5, 5]);
});

test("nor does one beside a limit of the rate", async () => {
  const refused = ["1/2", "2/1", "3/2", "4/2"];
  const send = await openRefusing((connection, message) => refused.includes(`${connection}/${message}`), {
    reply: "450 4.7.1 too much mail",
  });
  const taken: number[] = [];
  for (let mail = 0; mail < 5; mail += 1) taken.push(await send());
  expect(taken).toEqual([1, 3, 4, 5, 5]);
});

test("how many messages a connection carries is learned anew after ten minutes", async () => {
  let time = 0;
  let isLimited = true;
  const send = await openRefusing((_, message) => isLimited && message > 1, { now: () => time });
  const taken: number[] = [];
  for (let mail = 0; mail < 4; mail += 1) taken.push(await send());
  isLimited = false;
  taken.push(await send());
  time = 600_000;
  for (let mail = 0; mail < 3; mail += 1) taken.push(await send());
  expect(taken).toEqual([1, 2, 3, 4, 5, 6, 6, 6]);
});

test("one refusal is one, also of a message that then goes in several transactions", async () => {
  let taken = 0;
  const { server, pool } = await openPool({
    command(line, { number, message }) {
      if (line.startsWith("MAIL")) taken = 0;
      if (line.startsWith("MAIL") && number === 1 && message === 2) return "421 4.7.0 bye";
      if (!line.startsWith("RCPT")) return null;
      taken += 1;
      return taken > 1 ? "452 4.5.3 too many recipients" : null;
    },
  });
  const both = { ...delivery, to: ["bob@example.net", "carol@example.net"] };
  for (const one of [delivery, both, delivery, delivery]) {
    const { recipients } = await pool.deliver(one);
    expect(new Set(recipients.map(({ outcome }) => outcome))).toEqual(new Set(["accepted"]));
  }
  expect(server.sessions).toHaveLength(2);
});

test("how many a connection carries is learned from messages to several recipients, at one of whom the server ends it", async () => {
  const { server, pool } = await openPool({
    command: (line, { message }) =>
      line.startsWith("RCPT TO:<carol") && message > 5 ? "421 4.7.0 bye" : null,
  });
  for (let mail = 0; mail < 40; mail += 1)
    await pool.deliver({ ...delivery, to: ["bob@example.net", "carol@example.net"] });
  expect(server.contents).toHaveLength(40);
  expect(server.commands.filter((line) => line.startsWith("MAIL")).length).toBeLessThan(44);
});
