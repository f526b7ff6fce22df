import { expect, onTestFinished, test } from "vitest";
import { sampleMessage } from "../../../test/sample-message.ts";
import { startScriptedServer } from "../../../test/start-scripted-server.ts";
import { createSmtpMailer } from "../../create-smtp-mailer.ts";

const responseFor = (token: string): string =>
  Buffer.from(`user=ann\x01auth=Bearer ${token}\x01\x01`).toString("base64");

/** Opens a mailer that logs in by XOAUTH2 to a server that takes commands of 512 octets, and these tokens. */
async function open(accessToken: () => string | Promise<string>, tokens: string[] = []) {
  const responses = tokens.map(responseFor);
  const server = await startScriptedServer({
    extensions: ["PIPELINING", "AUTH XOAUTH2"],
    command(line) {
      if (line.startsWith("AUTH ") && line.length + 2 > 512) return "500 5.5.2 Line too long";
      if (line === "AUTH XOAUTH2") return "334 ";
      if (responses.some((response) => line.endsWith(response))) return "235 2.7.0 ok";
      return /^(?:MAIL|RCPT|DATA|EHLO|QUIT)/.test(line) ? null : "535 5.7.8 no";
    },
  });
  const mailer = createSmtpMailer({ url: `smtp://ann@127.0.0.1:${server.port}`, accessToken });
  onTestFinished(mailer.close);
  return { server, mailer };
}

// A command line of 512 octets has room for a token of 349 with this user name.
test.each([1, 349, 350, 3000])(
  "a token of %i characters is accepted within SMTP's limits",
  async (length) => {
    const token = "t".repeat(length);
    const { server, mailer } = await open(() => token, [token]);
    const { recipients } = await mailer.send(sampleMessage());
    expect(recipients.map(({ outcome }) => outcome)).toEqual(["accepted"]);
    const isShort = length <= 349;
    expect(server.commands.slice(1, isShort ? 2 : 3)).toEqual(
      isShort ? [`AUTH XOAUTH2 ${responseFor(token)}`] : ["AUTH XOAUTH2", responseFor(token)],
    );
  },
);

test.each([
  ["", "it is no text, or empty"],
  [undefined, "it is no text, or empty"],
  ["token\r\n", "it contains spaces, line breaks or characters beyond ASCII"],
])("a token %j is not sent, and the reason says why", async (token, reason) => {
  const { server, mailer } = await open(() => token as string);
  const { held } = await mailer.send(sampleMessage());
  expect(held).toMatchObject({
    cause: "settings",
    reason: `no access token could be obtained: Error: ${reason}`,
  });
  expect(server.commands.filter((line) => line.startsWith("AUTH"))).toEqual([]);
});

test.each([
  [40, "535 5.7.8 no: LINE there"],
  [40, "nonsense LINE"],
  [3000, "535 5.7.8 no: LINE"],
  [3000, "535 5.7.8 no: CUT"],
  [3000, "535 5.7.8 no: TOKEN"],
  [3000, "nonsense LINE"],
])("a token of %i characters is told to nobody by a server that says %s", async (length, words) => {
  const token = "Ab-1_".repeat(length / 5);
  const server = await startScriptedServer({
    extensions: ["AUTH XOAUTH2"],
    command(line) {
      if (line === "AUTH XOAUTH2") return "334 ";
      if (/^(?:EHLO|QUIT)/.test(line)) return null;
      return words.replace("LINE", line).replace("CUT", line.slice(0, 200)).replace("TOKEN", token);
    },
  });
  const mailer = createSmtpMailer({ url: `smtp://ann@127.0.0.1:${server.port}`, accessToken: () => token });
  onTestFinished(mailer.close);
  const told = JSON.stringify(await mailer.send(sampleMessage()));
  expect(told).toContain(words.startsWith("535") ? "535 5.7.8 no: " : "nonsense ");
  expect(told).not.toContain("Ab-1_");
  // The encoded name alone is no secret.
  expect(told).not.toContain(responseFor(token).slice(0, 32));
});

const bearerFor = (name: string): string =>
  `AUTH OAUTHBEARER ${Buffer.from(`n,a=${name},\x01auth=Bearer t0ken\x01\x01`).toString("base64")}`;

test.each([
  // RFC 5801 section 4 escapes the name.
  ["a%2Cn%3Dn", "OAUTHBEARER", bearerFor("a=2Cn=3Dn")],
  ["ann", "XOAUTH2 OAUTHBEARER", bearerFor("ann")],
])(
  "%s logs in by OAUTHBEARER where the server offers %s and takes that alone",
  async (name, offered, taken) => {
    const server = await startScriptedServer({
      extensions: [`AUTH ${offered}`],
      command(line) {
        if (!line.startsWith("AUTH")) return null;
        return line === taken ? "235 2.7.0 ok" : "504 5.5.4 unknown mechanism";
      },
    });
    const url = `smtp://${name}@127.0.0.1:${server.port}`;
    const mailer = createSmtpMailer({ url, accessToken: () => "t0ken" });
    onTestFinished(mailer.close);
    const { recipients } = await mailer.send(sampleMessage());
    expect(recipients.map(({ outcome }) => outcome)).toEqual(["accepted"]);
  },
);

test("a refusal by OAUTHBEARER comes as a challenge, which is answered once", async () => {
  const server = await startScriptedServer({
    extensions: ["AUTH OAUTHBEARER"],
    command(line) {
      if (line.startsWith("AUTH")) return "334 eyJzdGF0dXMiOiJpbnZhbGlkX3Rva2VuIn0=";
      return line === "AQ==" ? "535 5.7.8 the token is expired" : null;
    },
  });
  const url = `smtp://ann@127.0.0.1:${server.port}?auth=oauthbearer`;
  const mailer = createSmtpMailer({ url, accessToken: () => "t0ken" });
  onTestFinished(mailer.close);
  const { held } = await mailer.send(sampleMessage());
  expect(held).toMatchObject({ cause: "settings", reason: expect.stringContaining("the token is expired") });
  expect(server.commands.slice(1, 3)).toEqual([bearerFor("ann"), "AQ=="]);
});

test.each([
  ["XOAUTH2", responseFor("t0ken")],
  ["OAUTHBEARER", bearerFor("ann").replace("AUTH OAUTHBEARER ", "")],
])(
  "%s gives its response again to a server that ignores it in AUTH and asks for it",
  async (mechanism, response) => {
    const server = await startScriptedServer({
      extensions: [`AUTH ${mechanism}`],
      command(line) {
        if (line.startsWith("AUTH")) return "334 ";
        if (line === response) return "235 2.7.0 ok";
        return /^(?:MAIL|RCPT|DATA|EHLO|QUIT)/.test(line) ? null : "535 5.7.8 no";
      },
    });
    const url = `smtp://ann@127.0.0.1:${server.port}`;
    const mailer = createSmtpMailer({ url, accessToken: () => "t0ken" });
    onTestFinished(mailer.close);
    const { recipients } = await mailer.send(sampleMessage());
    expect(recipients.map(({ outcome }) => outcome)).toEqual(["accepted"]);
    expect(server.commands.slice(1, 3)).toEqual([`AUTH ${mechanism} ${response}`, response]);
  },
);

test.each(["501 Syntax: AUTH mechanism", "500 5.5.2 command not recognised"])(
  "a response that the server refuses in AUTH by %s follows when it asks for it",
  async (refusal) => {
    const response = Buffer.from("\0ann\0sesame").toString("base64");
    const server = await startScriptedServer({
      extensions: ["AUTH PLAIN"],
      command(line) {
        if (line === "AUTH PLAIN") return "334 ";
        if (line.startsWith("AUTH")) return refusal;
        return line === response ? "235 2.7.0 ok" : null;
      },
    });
    const mailer = createSmtpMailer({ url: `smtp://ann:sesame@127.0.0.1:${server.port}` });
    onTestFinished(mailer.close);
    const { recipients } = await mailer.send(sampleMessage());
    expect(recipients.map(({ outcome }) => outcome)).toEqual(["accepted"]);
    expect(server.commands.slice(1, 4)).toEqual([`AUTH PLAIN ${response}`, "AUTH PLAIN", response]);
  },
);

test.each([
  ["ann:sesame@HOST", "NTLM GSSAPI", "PLAIN, LOGIN, CRAM-MD5, only by NTLM, GSSAPI"],
  ["ann:sesame@HOST?auth=cram-md5", "PLAIN LOGIN", "CRAM-MD5, only by PLAIN, LOGIN"],
])("says at %s which logins a server with AUTH %s offers instead", async (form, offer, words) => {
  const server = await startScriptedServer({ extensions: [`AUTH ${offer}`] });
  const mailer = createSmtpMailer({ url: `smtp://${form.replace("HOST", `127.0.0.1:${server.port}`)}` });
  onTestFinished(mailer.close);
  expect(await mailer.verify()).toBe(`the server offers no login by ${words}`);
});
