import { expect, onTestFinished, test } from "vitest";
import { startScriptedServer } from "../../test/start-scripted-server.ts";
import { createSmtpMailer } from "../create-smtp-mailer.ts";

async function verifyBy(reply: string, extensions: string[], login = ""): Promise<string | undefined> {
  const command = (line: string) => (line.startsWith("MAIL") ? reply : null);
  const server = await startScriptedServer({ extensions, command });
  const mailer = createSmtpMailer({ url: `smtp://${login}127.0.0.1:${server.port}` });
  onTestFinished(mailer.close);
  return await mailer.verify();
}

const offer = ["AUTH PLAIN LOGIN"];

test.each([
  "503 need AUTH first",
  "503 5.5.4 Error: send AUTH command first",
  "553 authentication is required",
  "550 5.7.1 Client was not authenticated",
  "550 please log in",
  "550 5.7.1 not logged in",
])("a server that offers a login, and says %j without one, wants it", async (reply) => {
  const words = `the server takes no mail with these settings: ${reply}`;
  expect(await verifyBy(reply, offer)).toBe(words);
});

test.each([
  ["553 5.7.1 unauthorised sender <>", offer],
  ["550 5.7.1 not authorized", offer],
  ["554 5.7.1 the null sender is refused here", offer],
  ["550 relaying from <> denied", offer],
  ["451 4.7.0 authentication is down", offer],
  // Without a login that is offered, there is none to be made.
  ["553 authentication of your domain failed", []],
])("%j may concern the null sender alone, and is no fault", async (reply, extensions) => {
  expect(await verifyBy(reply, extensions)).toBeUndefined();
});

test("a server that wants a login and offers none, as many do without TLS, is not said to lack one in the settings", async () => {
  const reply = "530 5.7.57 Client not authenticated to send mail";
  const words = `the server offers no login, and takes no mail with these settings: ${reply}`;
  expect(await verifyBy(reply, [], "ann:sesame@")).toBe(words);
});

test("a fault of TLS is told beside what the server says in cleartext", async () => {
  const command = (line: string) => {
    if (line === "STARTTLS") return "454 4.7.0 TLS not available";
    return line.startsWith("MAIL") ? "530 5.7.0 Must issue a STARTTLS command first" : null;
  };
  const server = await startScriptedServer({ extensions: ["STARTTLS"], command });
  const mailer = createSmtpMailer({ url: server.url });
  onTestFinished(mailer.close);
  expect(await mailer.verify()).toMatch(/^the server refuses STARTTLS: 454 .*; in cleartext: .*: 530 /);
});
