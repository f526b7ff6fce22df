import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { testCertificate } from "../../../test/test-certificate.ts";
import { weakCertificate } from "../../../test/weak-certificate.ts";
import { parseSmtpUrl } from "./parse-smtp-url.ts";

describe("parseSmtpUrl", () => {
  test.each([
    [
      "smtp://mail.example",
      { host: "mail.example", port: 25, security: "opportunistic", checksCertificate: false },
    ],
    [
      "smtp://ann:x@mail.example",
      { port: 587, security: "starttls", username: "ann", password: "x", checksCertificate: true },
    ],
    ["smtps://mail.example", { port: 465, security: "tls", checksCertificate: true }],
    ["smtp://mail.example?security=tls", { port: 465, security: "tls" }],
    ["smtp://ann:x@localhost:1025", { port: 1025, security: "opportunistic", checksCertificate: true }],
    ["smtp://[::1]:2525/?security=none", { host: "::1", port: 2525, security: "none" }],
    ["smtp://a%40b.example:p%2Fw%23@mail.example", { username: "a@b.example", password: "p/w#" }],
    [
      "smtps://mail.example?insecure_tls=true&name=me.example",
      { checksCertificate: false, clientName: "me.example" },
    ],
  ])("reads %s", (url, server) => {
    expect(parseSmtpUrl(url).server).toMatchObject(server);
  });

  test("reads limits, time-outs and delivery options", () => {
    const url =
      "smtp://ann@mail.example?connections=8&messages_per_connection=50&max_per_second=0.5&connect_timeout=5&dot_timeout=900" +
      "&auth=cram-md5&local_address=192.0.2.7&envelope_sender=bounces%40shop.example&dsn=failure,delay&tls_min=1.0";
    const read = parseSmtpUrl(url);
    expect(read.server.tls?.()).toEqual({ minVersion: "TLSv1" });
    expect(read).toMatchObject({
      connections: 8,
      messagesPerConnection: 50,
      maxPerSecond: 0.5,
      timeouts: { connect: 5000, dot: 900_000 },
      server: {
        mechanism: "cram-md5",
        localAddress: "192.0.2.7",
        envelopeSender: "bounces@shop.example",
        dsn: ["failure", "delay"],
      },
    });
    expect(parseSmtpUrl("smtp://mail.example")).not.toHaveProperty("connections");
  });

  test("reads the files it names, and the token's file at every login", async () => {
    const folder = mkdtempSync(join(tmpdir(), "posthorn-smtp-"));
    const [pem, own, token] = [join(folder, "pem"), join(folder, "key"), join(folder, "token")];
    writeFileSync(pem, testCertificate.cert);
    writeFileSync(own, testCertificate.key);
    writeFileSync(token, "first\n");
    const { server } = parseSmtpUrl(
      `smtp://ann@localhost?ca_file=${pem}&cert_file=${pem}&key_file=${own}&token_file=${token}`,
    );
    expect(server.tls?.()).toEqual({
      ca: readFileSync(pem),
      cert: readFileSync(pem),
      key: readFileSync(own),
    });
    expect(await server.accessToken?.()).toBe("first");
    writeFileSync(token, "second\n");
    expect(await server.accessToken?.()).toBe("second");
    // Custom root certificates would have no effect if any certificate were accepted.
    expect(parseSmtpUrl(`smtp://mail.example?ca_file=${pem}`).server.checksCertificate).toBe(true);
    rmSync(folder, { recursive: true });
  });

  test("refuses files that no connection could use", () => {
    const folder = mkdtempSync(join(tmpdir(), "posthorn-smtp-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = (name: string, text: string | Buffer) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    const pkcs8 = { type: "pkcs8", format: "pem" } as const;
    const [der, cert, key, other, locked] = [
      file("der", new X509Certificate(testCertificate.cert).raw),
      file("cert", testCertificate.cert),
      file("key", testCertificate.key),
      file("other", privateKey.export(pkcs8)),
      file("locked", privateKey.export({ ...pkcs8, cipher: "aes-256-cbc", passphrase: "a" })),
    ];
    for (const [parameters, words] of [
      [`ca_file=${key}`, "ca_file can't be used: there is no certificate"],
      [`ca_file=${der}`, "ca_file can't be used: the certificate isn't PEM"],
      [`cert_file=${der}&key_file=${key}`, "cert_file and key_file can't be used: the certificate isn't PEM"],
      [`cert_file=${key}&key_file=${key}`, "cert_file and key_file can't be used: there is no certificate"],
      [`cert_file=${cert}&key_file=${cert}`, "cert_file and key_file can't be used: there is no private key"],
      [
        `cert_file=${cert}&key_file=${other}`,
        "cert_file and key_file can't be used: the key is another cert",
      ],
      [`cert_file=${cert}&key_file=${locked}`, "cert_file and key_file can't be used: the key has a pass"],
    ])
      expect(() => parseSmtpUrl(`smtp://mail.example?${parameters}`)).toThrow(`the SMTP URL's ${words}`);
    const weak = `cert_file=${file("small", weakCertificate.cert)}&key_file=${file("its", weakCertificate.key)}`;
    expect(() => parseSmtpUrl(`smtp://mail.example?${weak}`)).toThrow(/key too small$/);
    // By such a version, connections take smaller keys, too.
    expect(() => parseSmtpUrl(`smtp://mail.example?${weak}&tls_min=1.1`)).not.toThrow();
  });

  test.each([
    ["mail.example", /can't be read/],
    ["smtp://ann:sesame@mail.example:99999", /can't be read/],
    ["http://ann:sesame@mail.example", /http:\/\/ instead of smtp/],
    ["smtp://", /no valid host/],
    ["smtp://ann:sesame@mail.example/inbox", /path/],
    ["smtp://ann:sesame@mail.example:0", /port 0/],
    ["smtp://:sesame@mail.example", /without a user name/],
    ["smtp://ann:sesame%@mail.example", /% outside an escape sequence/],
    ["smtp://ann:sesame%0d%0a@mail.example", /line break/],
    ["smtp://ann:sesame@mail.example?pool=8", /unknown parameter "pool"; there are .*\bconnections\b/],
    ["smtp://ann:sesame@mail.example?connections=0", /from 1 to 100/],
    ["smtp://ann:sesame@mail.example?security=ssl", /none, opportunistic, starttls, tls/],
    ["smtps://ann:sesame@mail.example?security=none", /smtps with security=none/],
    ["smtp://ann:sesame@mail.example?insecure_tls=yes", /neither true nor false/],
    ["smtp://ann:sesame@mail.example?name=a%20b", /name is not a host name/],
    ["smtp://ann:sesame@mail.example#x", /%23/],
    ["smtp://ann:sesame@mail.example?name=a&name=b", /name twice/],
    ["smtp://ann:sesame@mail.example?max_per_second=0", /max_per_second is not a number from 0.01/],
    ["smtp://ann:sesame@mail.example?messages_per_connection=0", /messages_per_connection is not a number/],
    ["smtp://ann:sesame@mail.example?dot_timeout=0", /dot_timeout is not a number from 1 to 3600/],
    ["smtp://ann:sesame@mail.example?dsn=never,delay", /combines never/],
    ["smtp://ann:sesame@mail.example?dsn=often", /dsn is not one of/],
    ["smtp://ann:sesame@mail.example?auth=ntlm", /auth is not one of/],
    ["smtp://ann:sesame@mail.example?tls_min=3", /tls_min is not one of/],
    ["smtp://ann:sesame@mail.example?ca_file=/nowhere/at/all", /ca_file can't be read/],
    ["smtp://ann:sesame@mail.example?cert_file=/etc/hostname", /given together/],
    ["smtp://ann:sesame@mail.example?token_file=/x", /replaces a password/],
    ["smtp://mail.example?auth=plain", /no user name/],
    ["smtp://ann:sesame@mail.example?local_address=here", /not an IP address/],
    ["smtp://ann:sesame@mail.example?envelope_sender=a%0db@c.example", /not an ASCII address/],
  ])("refuses %s, naming the fault and never the password", (url, words) => {
    let fault: unknown;
    try {
      parseSmtpUrl(url);
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(TypeError);
    expect(String(fault)).toMatch(words);
    expect(String(fault)).not.toContain("sesame");
  });
});
