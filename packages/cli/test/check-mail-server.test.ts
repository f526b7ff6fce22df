import { createServer } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { testCertificate } from "../../mailer-smtp/test/test-certificate.ts";
import { checkMailServer } from "../src/commands/doctor/check-mail-server.ts";
import type { SettingValues } from "../src/program/settings.ts";

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

const refusingLogin: SMTPServerOptions = {
  onAuth: (_auth, _session, done) => done(Object.assign(new Error("no"), { responseCode: 535 })),
};

test.each([
  ["a certificate that nobody signed", startServer, "smtp://HOST?security=starttls", "parameter ca_file"],
  ["TLS at a port that begins without it", startServer, "smtps://HOST", "write smtp://"],
  [
    "a wrong password",
    () => startServer(refusingLogin),
    "smtp://ann:wrong@HOST?security=starttls&insecure_tls=true",
    "the user's name and the password",
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
