import { AttachmentUnreadable, type MailAttachment } from "@posthorn/core";
import { createAttachment } from "@posthorn/core/internal";
import { simpleParser } from "mailparser";
import { expect, onTestFinished, test } from "vitest";
import { sampleMessage } from "../../../test/sample-message.ts";
import type { Script } from "../../../test/scripted-server.ts";
import { startScriptedServer } from "../../../test/start-scripted-server.ts";
import { composeMessage } from "../../compose/compose-message.ts";
import { createSmtpMailer } from "../../create-smtp-mailer.ts";

async function start(script: Script = {}) {
  const server = await startScriptedServer(script);
  const timeouts = { connect: 90_000, greeting: 90_000, command: 90_000, dot: 90_000 };
  const mailer = createSmtpMailer({ url: server.url, timeouts, connections: 1 });
  onTestFinished(mailer.close);
  return { server, mailer };
}

const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));
const file = createAttachment({ filename: "a.bin", contentType: "application/octet-stream", content });

/** A file whose second chunk can't be read. */
const broken: MailAttachment = {
  ...file,
  async *base64() {
    for await (const piece of file.base64()) {
      yield piece;
      throw new AttachmentUnreadable("a.bin can't be read", { isGone: false });
    }
  },
};

test.each([[["PIPELINING"]], [[]]])(
  "a file arrives unchanged with extensions %j, and SIZE includes it",
  async (extensions) => {
    const { server, mailer } = await start({ extensions: ["SIZE 0", ...extensions] });
    const message = sampleMessage({ html: "<p>x</p>", text: ".\n..x", attachments: [file, file] });
    expect((await mailer.send(message)).recipients[0]?.outcome).toBe("accepted");
    const mail = await simpleParser(server.contents[0] ?? "");
    expect(mail.attachments.map((one) => one.content.equals(content))).toEqual([true, true]);
    const size = Number(/SIZE=(\d+)/.exec(server.commands[1] ?? "")?.[1]);
    expect(size).toBe((await composeMessage(message)).length);
  },
);

test("a message above the server's SIZE is refused before any of it is sent, and the connection is reused", async () => {
  const { server, mailer } = await start({ extensions: ["PIPELINING", "SIZE 500000"] });
  const large = sampleMessage({ attachments: [file, file] });
  const { length } = await composeMessage(large);
  expect(await mailer.send(large)).toMatchObject({
    recipients: [
      {
        address: "bob@example.net",
        outcome: "refused",
        code: 552,
        reply: `552 5.3.4 (server's limit 500000) the message has ${length} bytes`,
      },
    ],
    inDoubt: false,
  });
  expect(server.commands.some((line) => line.startsWith("MAIL"))).toBe(false);
  expect((await mailer.send(sampleMessage({ attachments: [file] }))).recipients[0]?.outcome).toBe("accepted");
  expect(server.sessions).toHaveLength(1);
});

test("an unreadable file ends the message without its final dot: no part is delivered, and the server is not blamed", async () => {
  const { server, mailer } = await start();
  await expect(mailer.send(sampleMessage({ attachments: [broken] }))).rejects.toMatchObject({
    name: "AttachmentUnreadable",
  });
  expect((await mailer.send(sampleMessage())).recipients[0]?.outcome).toBe("accepted");
  expect([server.contents.length, server.sessions.length]).toEqual([1, 2]);
});

test("a file is read only as fast as the server accepts it", async () => {
  const [total, piece] = [82_105_264, Buffer.from(`${"A".repeat(76)}\r\n`.repeat(3000))];
  let read = 0;
  let isPaused = false;
  const large: MailAttachment = {
    ...file,
    size: 60_000_000,
    async *base64() {
      for (; read < total; read += piece.length) yield piece;
    },
  };
  const { mailer } = await start({
    content(_, { socket }) {
      if (isPaused) return;
      isPaused = true;
      // The server reads nothing for a while, and then closes the connection.
      socket.pause();
      setTimeout(() => socket.destroy(), 100);
    },
  });
  const { recipients } = await mailer.send(sampleMessage({ attachments: [large] }));
  expect(recipients[0]?.outcome).toBe("deferred");
  expect(read).toBeLessThan(total / 2);
});

test("between two pieces of a message the server is heard: what it says before it resets the connection is lost with the next write", async () => {
  const { mailer } = await start();
  const heard: boolean[] = [];
  const attachment: MailAttachment = {
    ...file,
    async *base64() {
      for await (const piece of file.base64()) {
        let isHeard = false;
        // Sockets are read between one round of immediates and the next.
        setImmediate(() => setImmediate(() => (isHeard = true)));
        yield piece;
        heard.push(isHeard);
      }
    },
  };
  const { recipients } = await mailer.send(sampleMessage({ attachments: [attachment] }));
  expect(recipients).toMatchObject([{ outcome: "accepted" }]);
  expect(new Set(heard)).toEqual(new Set([true]));
});
