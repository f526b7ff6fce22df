import { once } from "node:events";
import { createServer } from "node:net";
import { TLSSocket } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { deliver, told } from "../../../../test/named-mails.ts";
import { start } from "../../../../test/open-mailer.ts";
import { fast, openPool } from "../../../../test/open-pool.ts";
import { sampleMessage } from "../../../../test/sample-message.ts";
import { sourceOf } from "../../../compose/message-source.ts";

test("a message that requires TLS tries it again where a fault of it had others go in cleartext", async () => {
  let isBroken = true;
  const { server, mailer } = await start({
    hasTls: true,
    extensions: ["STARTTLS"],
    command(line, { socket }) {
      if (line !== "STARTTLS") return null;
      if (!isBroken) return "220 go on";
      socket.end("220 go on\r\n");
      return undefined;
    },
  });
  const over = async (requiresTls: boolean) =>
    (await mailer.send({ ...sampleMessage(), requiresTls })).recipients[0];
  expect(await over(false)).toMatchObject({ outcome: "accepted" });
  expect(server.sessions).toHaveLength(2);
  expect(await over(true)).toMatchObject({
    outcome: "deferred",
    reply: expect.stringContaining("requires TLS"),
  });
  isBroken = false;
  expect(await over(true)).toMatchObject({ outcome: "accepted" });
  expect(await over(false)).toMatchObject({ outcome: "accepted" });
});

test("TLS behind which the server closes without a word has failed as well", async () => {
  const { server, mailer } = await start({
    hasTls: true,
    extensions: ["STARTTLS"],
    command(line, { socket }) {
      if (line === "STARTTLS") return "220 go on";
      if (!(socket instanceof TLSSocket)) return null;
      socket.destroy();
      return undefined;
    },
  });
  expect((await mailer.send(sampleMessage())).recipients[0]).toMatchObject({ outcome: "accepted" });
  expect(server.sessions).toHaveLength(2);
});

test("TLS that the server ends after the handshake, for want of the client's certificate, has failed as well", async () => {
  const { server, mailer } = await start({
    hasTls: true,
    tls: { requestCert: true, rejectUnauthorized: true },
    extensions: ["STARTTLS"],
    command: (line) => (line === "STARTTLS" ? "220 go on" : null),
  });
  const over = (requiresTls: boolean) => mailer.send({ ...sampleMessage(), requiresTls });
  expect((await over(false)).recipients[0]).toMatchObject({ outcome: "accepted" });
  expect(server.sessions).toHaveLength(2);
  expect(await over(true)).toMatchObject({
    recipients: [{ outcome: "deferred" }],
    steps: expect.arrayContaining([
      expect.objectContaining({
        step: "ehlo",
        error: "connection lost before its answer to EHLO: tlsv13 alert certificate required",
      }),
    ]),
  });
});

describe("a server with several addresses", () => {
  /** Opens a mailer whose server has a second address, at which another machine greets so. */
  const openBeside = async (greeting: string, isUp = true) => {
    let [time, asked] = [0, 0];
    const addresses = ["127.0.0.2", "127.0.0.1"].map((address) => ({ address, family: 4 as const }));
    const { server, pool } = await openPool(
      {},
      {
        resolver: { resolve: async () => addresses },
        clock: { now: () => time, after: fast.after },
        idleTime: 1,
      },
    );
    const other = createServer((socket) => {
      asked += 1;
      socket.on("error", () => {}).end(greeting);
    });
    const up = () => new Promise<void>((resolve) => other.listen(server.port, "127.0.0.2", resolve));
    if (isUp) await up();
    onTestFinished(() => void other.close());
    const send = async () => {
      await Promise.all(server.sessions.map(({ socket }) => socket.closed || once(socket, "close")));
      return told(await deliver(pool, "m"));
    };
    return { send, asked: () => asked, pass: (ms: number) => (time += ms), server, up };
  };

  test.each(["421 4.3.2 not here\r\n", "", "550 no\r\n", "HTTP/1.1 400 Bad Request\r\n"])(
    "gets mail at the next if one answers %j, which is not tried again for a minute",
    async (greeting) => {
      const { send, asked, pass } = await openBeside(greeting);
      expect([await send(), await send(), asked()]).toEqual(["accepted 250", "accepted 250", 1]);
      pass(60_000);
      expect([await send(), asked()]).toEqual(["accepted 250", 2]);
    },
  );

  test("is asked first for a minute at the one that could be connected to", async () => {
    const { send, asked, pass, up } = await openBeside("421 4.3.2 not here\r\n", false);
    expect(await send()).toBe("accepted 250");
    await up();
    expect([await send(), asked()]).toEqual(["accepted 250", 0]);
    pass(60_000);
    expect([await send(), asked()]).toEqual(["accepted 250", 1]);
  });

  test("is asked once at a time at the one that refuses to serve, while no other can be connected to", async () => {
    let time = 0;
    const addresses = ["127.0.0.1", "127.0.0.3"].map((address) => ({ address, family: 4 as const }));
    const { server, pool } = await openPool(
      { greeting: () => "421 4.3.2 not now" },
      { resolver: { resolve: async () => addresses }, clock: { now: () => time, after: fast.after } },
    );
    const sessions: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      await deliver(pool, "m");
      sessions.push(server.sessions.length);
      time += 10_000;
    }
    expect(sessions).toEqual([2, 3, 4]);
  });
});

describe("a server whose TLS fails and which takes no mail in cleartext", () => {
  const source = sourceOf([Buffer.from("Subject: hello\r\n\r\nhello\r\n")]);
  const delivery = { from: "ann@example.org", to: ["bob@example.net"], source, isInternational: false };

  test.each([
    ["fails", "220 go on", /could not set up TLS with .*530 5\.7\.0 Must issue/],
    ["is refused", "454 4.7.0 TLS not available", /454 4\.7\.0 TLS not available.*530 5\.7\.0 Must issue/],
  ])("is held with the reason why TLS %s, and tried over TLS after that", async (_, answer, reason) => {
    let [time, isBroken] = [0, true];
    const { pool } = await openPool(
      {
        hasTls: true,
        extensions: ["STARTTLS"],
        command(line, { socket }) {
          if (line.startsWith("MAIL") && !(socket instanceof TLSSocket))
            return "530 5.7.0 Must issue a STARTTLS command first";
          if (line !== "STARTTLS") return null;
          if (!isBroken) return "220 go on";
          if (!answer.startsWith("220")) return answer;
          socket.end(`${answer}\r\n`);
          return undefined;
        },
      },
      { security: "opportunistic", clock: { now: () => time, after: fast.after } },
    );
    expect(await pool.deliver(delivery)).toMatchObject({
      held: { cause: "settings", reason: expect.stringMatching(reason) },
    });
    isBroken = false;
    time += 30_000;
    expect(await pool.deliver(delivery)).toMatchObject({ recipients: [{ outcome: "accepted" }] });
  });
});
