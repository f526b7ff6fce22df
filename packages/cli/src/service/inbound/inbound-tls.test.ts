import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Posthorn } from "@posthorn/core";
import { silentLogger } from "@posthorn/core/internal";
import { createTransport } from "nodemailer";
import { expect, onTestFinished, test, vi } from "vitest";
import { testCertificate } from "../../../../mailer-smtp/test/test-certificate.ts";
import { listenForReports } from "./inbound-listener.ts";
import { readCertificate } from "./read-certificate.ts";

const { cert, key } = testCertificate;
/** Another of the same kind: public, for tests only. */
const former = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUHcIZWtnRYip5EDh1ZPHtMnSNJvYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyOTEzMDEzMVoYDzIxMjYxMTA1
MTMwMTMxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASZwaVKPNU6eolzGL/ODXeYQvfdsOOmxHBU2c6ob96yZk41iXvlBd48
K6pbt4PXdR1XZ7zC+ABB/g9qZMa3F/uio1MwUTAdBgNVHQ4EFgQUd00WL/tl68WU
ryX5SKLxpoaUB8cwHwYDVR0jBBgwFoAUd00WL/tl68WUryX5SKLxpoaUB8cwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAc/ckx+LXp4smPS4kTKaJM
9SNx2S1rqm1fMDHXdYmajQIhAKNSA9kNAhixw/B9aOj3bpGP2bD60gNfT57WCKcX
+4+j
-----END CERTIFICATE-----
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+IkZjbWdKKu0uMdC
OUXYhEGVAPqymjsZhSbgD1EL/72hRANCAASZwaVKPNU6eolzGL/ODXeYQvfdsOOm
xHBU2c6ob96yZk41iXvlBd48K6pbt4PXdR1XZ7zC+ABB/g9qZMa3F/ui
-----END PRIVATE KEY-----`;

/** Opens the inbound port, which keeps what it is given. */
async function open(certificate: (() => string) | undefined, warn = () => {}) {
  const received: string[] = [];
  const inbound = {
    knowsAddress: async () => true,
    async receiveMessage({ message }: { message: string }) {
      received.push(message);
    },
  } as unknown as Posthorn["inbound"];
  const { port, close } = await listenForReports(
    { inbound },
    { name: "localhost", port: 0, host: "127.0.0.1", certificate, logger: { ...silentLogger, warn } },
  );
  onTestFinished(close);
  const transport = (options: object) => {
    const made = createTransport({ host: "127.0.0.1", port, ...options });
    onTestFinished(() => made.close());
    return made;
  };
  return {
    received,
    cleartext: transport({ ignoreTLS: true }),
    secured: transport({ requireTLS: true, tls: { ca: cert, servername: "localhost" } }),
  };
}

const bounce = { envelope: { from: "", to: ["b-1@bounces.example"] }, raw: "Subject: bounce\r\n\r\nno\r\n" };

test("offers TLS with a certificate, and takes mail without it all the same", async () => {
  const { received, secured, cleartext } = await open(() => `${cert}\n${key}`);
  await secured.sendMail(bounce);
  await cleartext.sendMail(bounce);
  expect(received).toEqual([bounce.raw, bounce.raw]);
});

test("offers no TLS without a certificate", async () => {
  const { secured, cleartext } = await open(undefined);
  await expect(secured.sendMail(bounce)).rejects.toThrow();
  await cleartext.sendMail(bounce);
});

test("uses a renewed certificate after an hour, and the former one while none can be read", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const warn = vi.fn();
  const pems = [former, undefined, `${cert}\n${key}`];
  const read = () => {
    const pem = pems.shift();
    if (pem === undefined) throw new Error("no such file");
    return pem;
  };
  const { secured } = await open(read, warn);
  await expect(secured.verify()).rejects.toThrow(/certificate/);
  vi.advanceTimersByTime(3_600_000);
  expect(warn).toHaveBeenCalledOnce();
  await expect(secured.verify()).rejects.toThrow(/certificate/);
  vi.advanceTimersByTime(3_600_000);
  expect(await secured.verify()).toBe(true);
});

const pkcs8 = { type: "pkcs8", format: "pem" } as const;

const keyOf = (kind: "rsa" | "ec") =>
  (kind === "rsa"
    ? generateKeyPairSync("rsa", { modulusLength: 2048 })
    : generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  ).privateKey;

test("a certificate's files are read as one, and refused by name if they don't fit", () => {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string | Buffer) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [chain, own, both] = [
    file("chain.pem", cert),
    file("key.pem", key),
    file("both.pem", `${key}\n${cert}`),
  ];
  expect(readCertificate([chain, own])).toBe(`${cert}\n${key}`);
  expect(readCertificate([both])).toContain(cert);
  const locked = file(
    "locked.pem",
    keyOf("rsa").export({ ...pkcs8, cipher: "aes-256-cbc", passphrase: "a" }),
  );
  const unfit: [string[], string][] = [
    [[chain], "there is no private key"],
    [[own], "there is no certificate"],
    // The library would use its own certificate, whose key everybody knows.
    [[file("empty.pem", "")], "there is no certificate"],
    [[chain, locked], "the key has a pass phrase"],
    [
      [chain, file("other.pem", former.slice(former.indexOf("-----BEGIN PRIVATE")))],
      "the key is another certificate's",
    ],
    // OpenSSL compares keys of one kind only.
    [[chain, file("rsa.pem", keyOf("rsa").export(pkcs8))], "the key is another certificate's"],
    [[chain, file("ec.pem", keyOf("ec").export(pkcs8))], "the key is another certificate's"],
  ];
  for (const [files, why] of unfit)
    expect(() => readCertificate(files)).toThrow(
      `SERVICE_INBOUND_CERTIFICATE: ${files.join(", ")} can't be used: ${why}.`,
    );
  expect(() => readCertificate([chain, join(folder, "none.pem")])).toThrow(
    `SERVICE_INBOUND_CERTIFICATE: ${join(folder, "none.pem")} can't be read: there is no such file.`,
  );
});
