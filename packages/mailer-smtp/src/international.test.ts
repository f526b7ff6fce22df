import { generateKeyPairSync } from "node:crypto";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import PostalMime from "postal-mime";
import { expect, onTestFinished, test } from "vitest";
import { sampleMessage } from "../test/sample-message.ts";
import type { Script } from "../test/scripted-server.ts";
import { startScriptedServer } from "../test/start-scripted-server.ts";
import { createSmtpMailer } from "./create-smtp-mailer.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const key = {
  domain: "example.org",
  selector: "ph",
  privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};
const record = `v=DKIM1; k=ed25519; p=${publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("base64")}`;

async function open(script: Script) {
  const server = await startScriptedServer(script);
  const mailer = createSmtpMailer({ url: server.url, dkim: [key] });
  onTestFinished(() => mailer.close());
  return { server, mailer };
}

/** The reader decoded bytes as latin1; they are UTF-8. */
const utf8 = (text: string) => Buffer.from(text, "latin1").toString("utf8");

const message = sampleMessage({
  from: { name: "Jürg", address: "jürg@example.org" },
  to: [{ name: "Анна", address: "анна@example.net" }],
  replyTo: [{ name: "", address: "用户@example.org" }],
  envelope: { from: "jürg@example.org", to: ["анна@example.net", "bob@example.net"] },
});

// RFC 6531, RFC 6532
test("addresses beyond ASCII are sent unencoded to a server with SMTPUTF8, and signed", async () => {
  const { server, mailer } = await open({ extensions: ["PIPELINING", "8BITMIME", "SMTPUTF8"] });
  const { recipients } = await mailer.send(message);
  expect(recipients.map(({ outcome }) => outcome)).toEqual(["accepted", "accepted"]);
  expect(server.commands.map(utf8)).toEqual([
    expect.stringMatching(/^EHLO /),
    "MAIL FROM:<jürg@example.org> BODY=8BITMIME SMTPUTF8",
    "RCPT TO:<анна@example.net>",
    "RCPT TO:<bob@example.net>",
    "DATA",
  ]);
  const source = Buffer.from(`${server.contents[0]}\r\n`, "latin1");
  const mail = await PostalMime.parse(source);
  expect(mail.from).toEqual({ name: "Jürg", address: "jürg@example.org" });
  expect(mail.to).toEqual([{ name: "Анна", address: "анна@example.net" }]);
  expect(mail.replyTo).toEqual([{ name: "", address: "用户@example.org" }]);
  const { results } = await dkimVerify(source, { resolver: async () => [[record]] });
  expect(results.map(({ status }) => status.result)).toEqual(["pass"]);
});

test("delivery reports are requested for such addresses in ASCII", async () => {
  const server = await startScriptedServer({ extensions: ["SMTPUTF8", "DSN"] });
  const mailer = createSmtpMailer({ url: `${server.url}?dsn=failure` });
  onTestFinished(() => mailer.close());
  await mailer.send(message);
  expect(utf8(server.commands[2] ?? "")).toBe(
    "RCPT TO:<анна@example.net> NOTIFY=FAILURE ORCPT=utf-8;\\x{430}\\x{43D}\\x{43D}\\x{430}@example.net",
  );
});

test.each([
  ["in the header", message],
  ["in the envelope only", sampleMessage({ envelope: { from: "a@example.org", to: ["ü@example.net"] } })],
])("a server without SMTPUTF8 gets no part of a message with such an address %s", async (_, given) => {
  const { server, mailer } = await open({ extensions: ["PIPELINING", "8BITMIME"] });
  const { recipients, inDoubt } = await mailer.send(given);
  expect(inDoubt).toBe(false);
  for (const { outcome, code, reply } of recipients) {
    expect([outcome, code]).toEqual(["refused", 553]);
    expect(reply).toContain("SMTPUTF8");
  }
  expect(server.commands.some((line) => line.startsWith("MAIL"))).toBe(false);
});

test("e-mails with ASCII addresses do not request SMTPUTF8", async () => {
  const { server, mailer } = await open({ extensions: ["PIPELINING", "SMTPUTF8"] });
  await mailer.send(sampleMessage({ subject: "Grüße" }));
  expect(server.commands.join()).not.toContain("SMTPUTF8");
});

test("recipients beyond ASCII whom only the envelope names don't keep a message from the others", async () => {
  const to = ["ü@example.net", "bob@example.net", "ö@example.net", "eve@example.net"];
  const given = sampleMessage({ envelope: { from: "a@example.org", to } });
  const { server, mailer } = await open({ extensions: ["PIPELINING", "8BITMIME"] });
  const { recipients, held } = await mailer.send(given);
  expect(recipients.map(({ address, code }) => [address, code])).toEqual(
    to.map((address, place) => [address, place % 2 === 0 ? 553 : 250]),
  );
  expect(held).toBeUndefined();
  expect(server.contents).toHaveLength(1);

  const capable = await open({ extensions: ["PIPELINING", "SMTPUTF8"] });
  const all = await capable.mailer.send(given);
  expect(all.recipients.map(({ outcome }) => outcome)).toEqual(to.map(() => "accepted"));
});

test("nothing of such a message is sent to a server that holds it", async () => {
  const { server, mailer } = await open({ greeting: () => "554 5.7.1 go away" });
  const to = ["ü@example.net", "bob@example.net"];
  const { recipients, held } = await mailer.send(sampleMessage({ envelope: { from: "a@example.org", to } }));
  expect(held?.cause).toBe("unreachable");
  expect(recipients.map(({ address, outcome }) => [address, outcome])).toEqual(
    to.map((address) => [address, "deferred"]),
  );
  expect(server.sessions).toHaveLength(1);
});
