import { describe, expect, onTestFinished, test } from "vitest";
import { openSender as open } from "../test/open-mailer.ts";
import { passTime, stopTime } from "../test/pass-time.ts";
import type { Script } from "../test/scripted-server.ts";

describe("whether a connection can be reused", () => {
  test("one with unsolicited replies carries no further message: they would be taken for the next one's", async () => {
    const { server, send } = await open({
      dot: (_, { message }) => (message === 1 ? "250 taken\r\n250 again" : null),
    });
    expect([(await send()).told, (await send()).told]).toEqual([["accepted 250"], ["accepted 250"]]);
    expect(server.sessions).toHaveLength(2);
  });

  test.each(["354 go on", "354 go on, but not too much"])(
    "one that replies %j to the final dot carries no further message, and leaves this one in doubt",
    async (reply) => {
      const { server, send } = await open({
        dot: (_, { message, number }) => (message === 1 && number === 1 ? reply : null),
      });
      expect(await send()).toMatchObject({ inDoubt: true, told: ["deferred 354"] });
      expect(await send()).toMatchObject({ inDoubt: false, told: ["accepted 250"] });
      expect(server.sessions).toHaveLength(2);
    },
  );

  test("one whose pipelined MAIL was refused carries the next, with all replies read", async () => {
    const { server, send } = await open({
      command: (line, { message }) => {
        if (message !== 1) return null;
        if (line.startsWith("MAIL")) return "550 5.1.7 not you";
        return /^(?:RCPT|DATA)/.test(line) ? "503 5.5.1 MAIL first" : null;
      },
    });
    expect([(await send()).told, (await send()).told]).toEqual([["refused 550"], ["accepted 250"]]);
    expect(server.sessions).toHaveLength(1);
    // The refused one is taken back before the next.
    expect(server.commands.slice(4, 6)).toEqual(["RSET", expect.stringMatching(/^MAIL/)]);
  });

  test("one that starts another reply before the content gets no content", async () => {
    const { server, send } = await open({
      command(line, { socket }) {
        if (line !== "DATA") return null;
        socket.write("354 go on\r\n451 4.3.0 rea");
        return undefined;
      },
    });
    expect(await send()).toMatchObject({ inDoubt: false, told: ["deferred"] });
    expect(server.commands).not.toContain("Good day");
  });

  test("one that answers only MAIL of pipelined commands is waited for 20 s, not for five minutes", async () => {
    onTestFinished(stopTime());
    const { server, send } = await open({
      command: (line, { number }) => (number === 1 && /^(?:RCPT|DATA)/.test(line) ? undefined : null),
    });
    const begun = performance.now();
    // Time also passes during the second attempt, and the more of it the slower the machine: 16,000 turns are left for that.
    const { told } = await passTime(send(), { stepMs: 100, since: server.silent });
    expect(told).toEqual(["accepted 250"]);
    expect(performance.now() - begun).toBeLessThan(180_000);
  });
});

test("a message that Courier (1.0.16) finds too big is refused by its 534, and holds no other back", async () => {
  const { server, send } = await open({
    command: (line, { message }) => {
      if (message !== 1) return null;
      if (line.startsWith("MAIL")) return "534 SIZE=Message too big.";
      return /^(?:RCPT|DATA)/.test(line) ? "502 ESMTP command error" : null;
    },
  });
  const large = await send();
  expect([large.told, large.held]).toEqual([["refused 534"], undefined]);
  expect((await send()).told).toEqual(["accepted 250"]);
  expect(server.sessions).toHaveLength(1);
});

describe("a missing reply to a pipelined recipient refuses nobody else in its place", () => {
  const nobody = "550 5.1.1 no such user";

  test.each([
    ["where DATA is answered", /RCPT TO:<bob@/],
    ["where nothing follows", /RCPT TO:<bob@|DATA/],
  ])("%s", async (_, unanswered) => {
    onTestFinished(stopTime());
    const { server, send } = await open({
      command(line, { number }) {
        if (number === 1 && unanswered.test(line)) return undefined;
        return line.includes("<carol@") ? nobody : null;
      },
    });
    const { told } = await passTime(send(["bob@example.net", "carol@example.net"]), {
      stepMs: 100,
      since: server.silent,
    });
    expect(told).toEqual(["accepted 250", "refused 550"]);
    expect(server.contents).toHaveLength(1);
  });

  test("nor the only one, where DATA is refused for it", async () => {
    onTestFinished(stopTime());
    const { server, send } = await open({
      command(line, { number }) {
        if (number > 1) return null;
        if (line === "DATA") return "503 5.5.1 no valid recipients";
        return line.startsWith("RCPT") ? undefined : null;
      },
    });
    const { told } = await passTime(send(), { stepMs: 100, since: server.silent });
    expect(told).toEqual(["accepted 250"]);
  });
});

describe("a reply to no command", () => {
  const nobody = "550 5.1.1 no such user";
  const both = ["bob@example.net", "carol@example.net"];

  test.each([
    [
      "EHLO",
      {
        extensions: [],
        command: (line, { number }) =>
          line.startsWith("EHLO") && number === 1 ? `250 test\r\n${nobody}` : null,
      },
    ],
    ...["MAIL", "RCPT TO:<bob@", "RCPT TO:<carol@"].flatMap((command) =>
      [[], ["PIPELINING"]].map((extensions): [string, Script] => [
        `${command} ${extensions}`,
        {
          extensions,
          command: (line, { number }) =>
            line.startsWith(command) && number === 1 ? `250 ok\r\n${nobody}` : null,
        },
      ]),
    ),
  ] satisfies [string, Script][])("behind the one to %s refuses nobody", async (_, script: Script) => {
    const { server, send } = await open(script);
    expect((await send(both)).told).toEqual(["accepted 250", "accepted 250"]);
    expect(server.sessions).toHaveLength(2);
    expect(server.contents).toHaveLength(1);
  });

  test("that leaves the one to DATA behind refuses nobody else than the server does", async () => {
    const { server, send } = await open({
      command(line, { number }) {
        if (number === 2) return line.includes("<carol@") ? "550 5.2.1 disabled" : null;
        if (line !== "DATA") return line.startsWith("EHLO") ? null : undefined;
        return ["250 ok", nobody, "250 ok", "550 5.2.1 disabled", "354 go on"].join("\r\n");
      },
    });
    const { told, recipients } = await send(both);
    expect(told).toEqual(["accepted 250", "refused 550"]);
    expect(recipients[1]?.reply).toContain("5.2.1 disabled");
    expect(server.sessions).toHaveLength(2);
  });

  test("defers if it always comes, and is told", async () => {
    const { send } = await open({
      extensions: [],
      command: (line) => (line.startsWith("MAIL") ? `250 ok\r\n${nobody}` : null),
    });
    const { told, held } = await send();
    expect(told).toEqual(["deferred"]);
    expect(held?.reason).toContain(`the server sent a reply to no command: ${nobody}`);
  });

  test("but a 421, which needs none, ends the connection in the server's words", async () => {
    const { send } = await open({
      extensions: [],
      command: (line) => (line.startsWith("MAIL") ? "250 ok\r\n421 4.3.2 going down" : null),
    });
    expect((await send()).held?.reason).toContain("421 4.3.2 going down");
  });

  test("so does one behind a refusal of all, which stands", async () => {
    const { server, send } = await open({
      command(line) {
        if (line.startsWith("RCPT")) return undefined;
        return line === "DATA" ? `${nobody}\r\n503 5.5.1 nobody\r\n421 4.7.0 too many errors` : null;
      },
    });
    expect((await send()).told).toEqual(["refused 550"]);
    expect(server.sessions).toHaveLength(1);
  });
});

test("a server that answers DATA by 250 has accepted nothing", async () => {
  const { send, server } = await open({ command: (line) => (line === "DATA" ? "250 ok" : null) });
  const { told, held } = await send();
  expect(told).toEqual(["deferred"]);
  expect(held?.reason).toContain("the server sent a reply to no command: 250 ok");
  expect(server.contents).toEqual([]);
});

test("a server that closes whenever it has refused everybody is not held", async () => {
  const { send } = await open({
    command: (line, { socket, number }) => {
      if (number > 3) return null;
      return line.startsWith("RCPT") ? void socket.end("550 5.1.1 nobody\r\n") : null;
    },
  });
  const told = [];
  for (let count = 0; count < 4; count += 1) told.push((await send()).told);
  expect(told.flat()).toEqual(["refused 550", "refused 550", "refused 550", "accepted 250"]);
});

describe("a server that closes in the middle of the content", () => {
  const hangingUp = (words: string): Script => {
    let isSaid = false;
    return {
      content: (_, { socket }) => {
        if (isSaid) return;
        isSaid = true;
        socket.end(`${words}\r\n`);
      },
    };
  };
  const large = "line of text\n".repeat(400_000);

  test.each([
    ["552 5.3.4 that is too much", "refused 552"],
    ["452 4.3.1 no room", "deferred 452"],
  ])("has its reply read: %s", async (words, told) => {
    const { send, server } = await open(hangingUp(words));
    expect(await send(undefined, large)).toMatchObject({ inDoubt: false, told: [told] });
    expect(server.contents).toEqual([]);
  });

  test("or reads no more of it after a refusal has its reply read at once", async () => {
    // No time passes: nothing may be waited for.
    onTestFinished(stopTime());
    let isSaid = false;
    const { send } = await open({
      content: (_, { socket }) => {
        if (!isSaid) socket.pause().write("552 5.3.4 that is too much\r\n");
        isSaid = true;
      },
    });
    expect((await send(undefined, large.repeat(4))).told).toEqual(["refused 552"]);
  });

  test("or continues reading after a refusal is disconnected at once: the next command would be taken for content", async () => {
    // No time passes: nothing may be waited for.
    onTestFinished(stopTime());
    let isSaid = false;
    const { send, server } = await open({
      content: (_, { socket }) => {
        if (!isSaid) socket.write("552 5.3.4 that is too much\r\n");
        isSaid = true;
      },
    });
    expect((await send(undefined, large)).told).toEqual(["refused 552"]);
    expect((await send()).told).toEqual(["accepted 250"]);
    expect(server.sessions).toHaveLength(2);
  });

  test("has accepted nothing, whatever it replied", async () => {
    const { send, server } = await open(hangingUp("250 2.0.0 taken"));
    const { recipients, inDoubt } = await send(undefined, large);
    expect(inDoubt).toBe(false);
    expect(recipients).toMatchObject([{ outcome: "deferred" }]);
    expect(server.contents).toEqual([]);
  });
});
