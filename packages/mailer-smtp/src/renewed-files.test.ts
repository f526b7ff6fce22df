import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { startScriptedServer } from "../test/start-scripted-server.ts";
import { testCertificate } from "../test/test-certificate.ts";
import { createSmtpMailer } from "./create-smtp-mailer.ts";

/** Files with the test certificate, as root and as the client's own, and a mailer whose URL names them. */
async function open(roots: string) {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-smtp-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [ca, cert, key] = [join(folder, "ca"), join(folder, "cert"), join(folder, "key")];
  writeFileSync(ca, roots);
  writeFileSync(cert, testCertificate.cert);
  writeFileSync(key, testCertificate.key);
  const server = await startScriptedServer({
    hasTls: true,
    extensions: ["STARTTLS"],
    command: (line) => (line === "STARTTLS" ? "220 go on" : null),
    tls: { requestCert: true, rejectUnauthorized: true, ca: testCertificate.cert },
  });
  const mailer = createSmtpMailer({
    url: `${server.url}?security=starttls&ca_file=${ca}&cert_file=${cert}&key_file=${key}`,
  });
  onTestFinished(mailer.close);
  return { mailer, ca, cert, key };
}

test("files that are renewed are used by the next connection", async () => {
  const { mailer, ca } = await open(rootCertificates[0] ?? "");
  expect(await mailer.verify()).toMatch(/could not set up TLS/);
  writeFileSync(ca, testCertificate.cert);
  expect(await mailer.verify()).toBeUndefined();
});

test("while they can't be used, such as in the middle of a renewal, the former ones stay", async () => {
  const { mailer, ca, cert, key } = await open(testCertificate.cert);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }));
  expect(await mailer.verify()).toBeUndefined();
  rmSync(cert);
  writeFileSync(ca, "");
  expect(await mailer.verify()).toBeUndefined();
});
