import { TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { start } from "../../../test/open-mailer.ts";
import { fast, openPool } from "../../../test/open-pool.ts";
import { sampleMessage } from "../../../test/sample-message.ts";
import { sourceOf } from "../../compose/message-source.ts";

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
