import type { Socket } from "node:net";
import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { createReplyChannel } from "./reply-channel.ts";

/** A channel, and the server's end of its connection. */
function open() {
  const [socket, server] = duplexPair();
  return { channel: createReplyChannel(socket as Socket), socket, server };
}

test("disconnects a server that sends unsolicited replies, to bound memory", async () => {
  const { socket, server } = open();
  server.write("250 ok\r\n".repeat(2001));
  await expect.poll(() => socket.destroyed).toBe(true);
});

test("disconnects a server whose few unsolicited replies are long", async () => {
  const { socket, server } = open();
  const reply = `${`250-${"x".repeat(4000)}\r\n`.repeat(100)}250 ok\r\n`;
  for (let sent = 0; sent < 6; sent += 1) server.write(reply);
  await expect.poll(() => socket.destroyed).toBe(true);
});

test("reads any number of long replies that are each awaited", async () => {
  const { channel, server } = open();
  const reply = `${`250-${"x".repeat(4000)}\r\n`.repeat(100)}250 ok\r\n`;
  for (let sent = 0; sent < 10; sent += 1) {
    server.write(reply);
    expect((await channel.read(5000, "NOOP")).lines).toHaveLength(101);
  }
});

test.each([
  ["a line of 1 MB", `250 2.0.0 ${"x".repeat(1_000_000)}\r\n`],
  ["10,000 lines", `${"250-2.0.0 x\r\n".repeat(10_000)}250 2.0.0 x\r\n`],
])("keeps the begin of a reply of %s, whose code leaves no message in doubt", async (_, reply) => {
  const { channel, server } = open();
  server.write(reply);
  const { code, text, lines } = await channel.read(5000, "the final dot");
  expect([code, text.slice(0, 11), lines.join("").length < 5000]).toEqual([250, "250 2.0.0 x", true]);
  expect(channel.isQuiet()).toBe(true);
  server.write("221 bye\r\n");
  expect((await channel.read(5000, "QUIT")).text).toBe("221 bye");
});

test("reads an acceptance without the end of its line from a server that then closes, and no refusal", async () => {
  for (const [reply, becomes] of [
    ["250 2.0.0 taken", "250 2.0.0 taken"],
    ["250-one\r\n250 two", "250 one two"],
    ["550 5", undefined],
    ["250", undefined],
    ["250-one", undefined],
  ]) {
    const { channel, server } = open();
    server.end(reply);
    const read = channel.read(5000, "the final dot").then(
      ({ text }) => text,
      () => undefined,
    );
    expect(await read).toBe(becomes);
  }
});

test.each(["100 wait", "600 what", "250x ok"])("takes for no reply: %s", async (line) => {
  const { channel, server } = open();
  server.write(`${line}\r\n250 ok\r\n`);
  await expect(channel.read(5000, "NOOP")).rejects.toThrow(`does not speak SMTP: ${line}`);
});

test.each(["250 injected\r\n", "250-injected\r\n", "250 inj"])(
  "discards cleartext received before TLS: %j",
  async (injected) => {
    const { channel, server } = open();
    server.write(`220 go\r\n${injected}`);
    expect((await channel.read(5000, "STARTTLS")).code).toBe(220);
    expect(channel.isQuiet()).toBe(false);
    expect(() => channel.release()).toThrow("more than one reply to STARTTLS");
  },
);

test("a connection with no unread replies can be released", async () => {
  const { channel, server } = open();
  server.write("220 go\r\n");
  await channel.read(5000, "STARTTLS");
  expect(channel.isQuiet()).toBe(true);
  channel.release();
  server.write("\x16\x03");
  await new Promise(setImmediate);
  expect(channel.isQuiet()).toBe(true);
});

test.each([
  ["550-5.1.1 No such\r\n550-5.1.1 user\r\n550 5.1.1 here\r\n", "550 5.1.1 No such user here"],
  ["550-5.1.1 No\r\n550 5.7.1 of another kind\r\n", "550 5.1.1 No 5.7.1 of another kind"],
  ["250-x\r\r\n250 5.1.1 y\r\r\n", "250 x 5.1.1 y"],
])("names an enhanced status code once, however many lines repeat it: %j", async (bytes, text) => {
  const { channel, server } = open();
  server.write(bytes);
  expect((await channel.read(5000, "RCPT")).text).toBe(text);
});

test("reads a reply in UTF-8 or Latin-1, and each line by itself", async () => {
  const { channel, server } = open();
  server.write(Buffer.from("550-Empfänger\r\n", "utf8"));
  server.write(Buffer.from("550-Empfänger\r\n", "latin1"));
  server.write(Buffer.from("550 不明 \ufffd\r\n", "utf8"));
  expect((await channel.read(5000, "RCPT TO")).text).toBe("550 Empfänger Empfänger 不明 \ufffd");
});

test.each([
  ["closed", undefined, "the server closed the connection before its answer to DATA"],
  ["reset", new Error("read ECONNRESET"), "connection lost before its answer to DATA: read ECONNRESET"],
])("says what a server that has %s the connection left unanswered", async (_, error, words) => {
  const { channel, server } = open();
  server.write("250 ok\r\n");
  await channel.read(5000, "RCPT");
  if (error === undefined) server.end();
  else channel.socket.destroy(error);
  await new Promise((closed) => channel.socket.once("close", closed));
  await expect(channel.read(5000, "DATA")).rejects.toMatchObject({ kind: "network", message: words });
});
