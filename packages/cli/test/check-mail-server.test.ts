import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { startScriptedServer } from "../../mailer-smtp/test/start-scripted-server.ts";
import { testCertificate } from "../../mailer-smtp/test/test-certificate.ts";
import { checkMailServer } from "../src/commands/doctor/check-mail-server.ts";
import type { SettingValues } from "../src/program/settings/settings.ts";

async function startServer(options: SMTPServerOptions = {}): Promise<number> {
  const server = new SMTPServer({ ...testCertificate, authOptional: true, ...options });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return (server.server.address() as { port: number }).port;
}

async function startSilentServer(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

/** A server that answers EHLO as usual and any MAIL with `reply`. */
async function startRefusingServer(reply: string): Promise<number> {
  const command = (line: string) => (line.startsWith("MAIL") ? reply : null);
  return (await startScriptedServer({ command })).port;
}

async function startGreetingServer(greeting: string): Promise<number> {
  return (await startScriptedServer({ greeting: () => greeting })).port;
}

const refusingLogin: SMTPServerOptions = {
  onAuth: (_auth, _session, done) => done(Object.assign(new Error("no"), { responseCode: 535 })),
};

/** Made with the test certificate's key, for other.example and a hundred years. */
const foreign = `-----BEGIN CERTIFICATE-----
MIIBoDCCAUegAwIBAgIUH82uXHPbE2t5BXAFr7DRGjEW154wCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTE5
MTIwODAwMDAwMFowGDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABOtO9OwkDyx8suslL5E5Opmec/GPf+rvdGNYVV4eRHZZ
fEvDjt0kKa4LTI96vKjWdvEuEsZmP/f4Hi4N0Iwoa+mjbTBrMB0GA1UdDgQWBBRU
3xH7+CSlopmrewIQdS41vuR1NzAfBgNVHSMEGDAWgBRU3xH7+CSlopmrewIQdS41
vuR1NzAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDW90aGVyLmV4YW1wbGUw
CgYIKoZIzj0EAwIDRwAwRAIgDEe+nvGc07VIc6jrKCvILJr7OHBuovOOktWeXpNx
DrICIGVtvgoSYAWDjeqNGJhFwnDlq6g55pRodFTgXWGjIW1z
-----END CERTIFICATE-----`;
/** The same, for localhost and a day of 2020. */
const expired = `-----BEGIN CERTIFICATE-----
MIIBmTCCAT+gAwIBAgIURk1fRAXLY/r+c/YvCwHJHNNjQjQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTIwMDEwMTAwMDAwMFoXDTIwMDEwMjAw
MDAwMFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAE60707CQPLHyy6yUvkTk6mZ5z8Y9/6u90Y1hVXh5Edll8S8OO3SQprgtM
j3q8qNZ28S4SxmY/9/geLg3QjChr6aNvMG0wHQYDVR0OBBYEFFTfEfv4JKWimat7
AhB1LjW+5HU3MB8GA1UdIwQYMBaAFFTfEfv4JKWimat7AhB1LjW+5HU3MA8GA1Ud
EwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMAoGCCqGSM49
BAMCA0gAMEUCIERc80wVE+IYHKQ6SyuFEyLOz700X3H/Kx3Vh4jdC+LZAiEAyo5H
yPkJwjDNbHsWiPunuaeGkUCuUzGq1uhzdy57Me0=
-----END CERTIFICATE-----`;
const folder = mkdtempSync(join(tmpdir(), "posthorn-roots-"));
function trusting(root: string): string {
  const file = join(folder, `${createHash("sha256").update(root).digest("hex")}.pem`);
  writeFileSync(file, root);
  return `smtp://HOST?security=starttls&ca_file=${file}`;
}

test.each([
  ["a certificate that nobody signed", startServer, "smtp://HOST?security=starttls", "parameter ca_file"],
  [
    "a certificate for another host",
    () => startServer({ cert: foreign }),
    trusting(foreign),
    "the host that its certificate is for",
  ],
  ["an expired certificate", () => startServer({ cert: expired }), trusting(expired), "certificate renewed"],
  ["TLS at a port that begins without it", startServer, "smtps://HOST", "write smtp://"],
  [
    "a wrong password",
    () => startServer(refusingLogin),
    "smtp://ann:wrong@HOST?security=starttls&insecure_tls=true",
    "the user's name and the password",
  ],
  [
    "a token that can't be read",
    () => startServer({ ...refusingLogin, authMethods: ["XOAUTH2"] }),
    "smtp://ann@HOST?security=starttls&insecure_tls=true&token_file=/nowhere",
    "the file that token_file names",
  ],
  [
    "a server that requires TLS",
    () => startRefusingServer("530 5.7.0 Must issue a STARTTLS command first"),
    "smtp://HOST?security=none",
    "security=starttls",
  ],
  [
    "a server that requires a login",
    () => startRefusingServer("530 5.7.57 Client was not authenticated to send mail"),
    "smtp://HOST",
    "Write the user's name and the password",
  ],
  [
    "a server that refuses every connection",
    () => startGreetingServer("554 5.7.1 not you"),
    "smtp://HOST",
    "that this machine may connect",
  ],
  [
    "a server without STARTTLS",
    () => startServer({ hideSTARTTLS: true }),
    "smtp://HOST?security=starttls",
    "Try another port",
  ],
  [
    "a login method that is not offered",
    () => startServer({ authMethods: ["PLAIN"] }),
    "smtp://ann:secret@HOST?insecure_tls=true&auth=cram-md5",
    "leave auth out",
  ],
  [
    "a server that offers no login",
    () => startServer({ disabledCommands: ["AUTH"] }),
    "smtp://ann:secret@HOST?insecure_tls=true",
    "or leave out the user's name",
  ],
  [
    "a server that can't check logins",
    () =>
      startServer({
        onAuth: (_auth, _session, done) => done(Object.assign(new Error("no"), { responseCode: 454 })),
      }),
    "smtp://ann:secret@HOST?insecure_tls=true",
    "E-mails wait",
  ],
  [
    "a client certificate that is not trusted",
    () => startRefusingServer("421 4.7.1 mx.example Error: Client certificate not trusted"),
    "smtp://HOST",
    "cert_file and key_file",
  ],
  ["a port that waits for TLS", startSilentServer, "smtp://HOST?greeting_timeout=1", "write smtps://"],
  ["a port where nobody listens", async () => 1, "smtp://HOST", "that this machine may connect"],
])("the doctor says what to do about %s, and names the server once", async (_, start, form, advice) => {
  const host = `127.0.0.1:${await start()}`;
  const finding = await checkMailServer({ smtp_url: form.replace("HOST", host) } as SettingValues);
  expect(finding).toMatchObject({ state: "broken", advice: expect.stringContaining(advice) });
  expect(finding.found).toContain(host);
  expect(finding.found).not.toMatch(/^127.0.0.1:\d+: could/);
});

test.each([
  [
    "421 to the connection",
    () => startGreetingServer("421 4.7.0 too many connections from you"),
    "421 4.7.0 too",
  ],
  ["450 to the connection", () => startGreetingServer("450 4.3.2 try again"), "450 4.3.2 try again"],
  ["421 to MAIL", () => startRefusingServer("421 4.3.2 in maintenance"), "421 4.3.2 in maintenance"],
])(
  "the doctor only warns of a %s, which a busy service beside it can bring about",
  async (_, start, reply) => {
    const host = `127.0.0.1:${await start()}`;
    const finding = await checkMailServer({ smtp_url: `smtp://${host}` } as SettingValues);
    expect(finding).toMatchObject({
      state: "warning",
      found: expect.stringContaining(`${host} answers, but takes nothing more at present: ${reply}`),
      advice: expect.stringContaining("posthorn queue status"),
    });
  },
);
