import { expect, onTestFinished, test } from "vitest";
import { testCertificate } from "../test/test-certificate.ts";
import { weakCertificate } from "../test/weak-certificate.ts";
import { createCaptureMailer } from "./create-capture-mailer.ts";
import { createSmtpMailer } from "./create-smtp-mailer.ts";

const url = "smtp://127.0.0.1:1";

test.each<[unknown, RegExp]>([
  [{ url, conections: 5 }, /^there is no option conections; the options are url, connections, /],
  [{ url, timeouts: { dots: 1 } }, /^there is no option timeouts\.dots; the options are timeouts\.connect, /],
  [{ url, serverTimeouts: { idle: 1 } }, /^there is no option serverTimeouts\.idle; /],
  [{ url, tls: { rejectUnauthorized: false } }, /^there is no option tls\.rejectUnauthorized; /],
])("createSmtpMailer refuses the unknown option of %j by name", (options, message) => {
  expect(() => createSmtpMailer(options as { url: string })).toThrow(message);
});

test.each([undefined, ""])("a url that is %j, as an unset variable is, is told as missing", (unset) => {
  const missing = "createSmtpMailer needs a url, such as smtp://user:password@mail.example.com:587";
  expect(() => createSmtpMailer({ url: unset as string })).toThrow(missing);
});

test.each([
  [{ maxPerSecond: 1e-9 }, "maxPerSecond must be a number, 0.01 or more, not 1e-9"],
  [{ maxPerSecond: Number.NaN }, "maxPerSecond must be a number, 0.01 or more, not NaN"],
  [{ connections: "5" }, "connections must be a whole number, 1 or more, not such a text"],
  [{ connections: 2.5 }, "connections must be a whole number, 1 or more, not 2.5"],
  [
    { timeouts: { connect: Number.POSITIVE_INFINITY } },
    "timeouts.connect must be a number of milliseconds from 1 to 2147483647, not Infinity",
  ],
  [{ serverTimeouts: { dot: -1 } }, /^serverTimeouts\.dot must be a number of milliseconds /],
  [{ allowInsecureServers: "false" }, "allowInsecureServers must be true or false, not such a text"],
  [{ dkim: {} }, "dkim must be a list of keys, each { domain, selector, privateKey }, not such an object"],
  [{ dkim: [null] }, "dkim must be a list of keys, each { domain, selector, privateKey }, not an array"],
  [{ dkim: [{}] }, "dkim.domain is not a domain name in ASCII"],
  [{ tls: { ca: testCertificate.key } }, "tls.ca can't be used: there is no certificate"],
  [{ tls: { ca: [testCertificate.cert, ""] } }, "tls.ca can't be used: there is no certificate"],
  [{ tls: { cert: testCertificate.cert } }, "tls.cert and tls.key must be given together"],
  [
    { tls: { cert: testCertificate.cert, key: testCertificate.cert } },
    "tls.cert and tls.key can't be used: there is no private key",
  ],
  [{ tls: weakCertificate }, /^tls\.cert and tls\.key can't be used: .*key too small/],
  [{ tls: { minVersion: "TLS1.2" } }, "tls.minVersion can't be used: there is no such version"],
])("createSmtpMailer refuses %j by name", (options, message) => {
  expect(() => createSmtpMailer({ url, ...options } as { url: string })).toThrow(message);
});

test("createSmtpMailer takes certificates and a version that can be used", () => {
  const tls = { ca: testCertificate.cert, ...testCertificate, minVersion: "TLSv1" } as const;
  expect(() => createSmtpMailer({ url, tls })).not.toThrow();
  // By such a version, connections take smaller keys, too.
  expect(() => createSmtpMailer({ url, tls: { ...weakCertificate, minVersion: "TLSv1.1" } })).not.toThrow();
});

test("createCaptureMailer refuses an unknown or wrong option by name", () => {
  expect(() => createCaptureMailer({ allowInsecureServers: "false" } as object)).toThrow(
    "allowInsecureServers must be true or false, not such a text",
  );
  expect(() => createCaptureMailer({ folder: "mails" } as object)).toThrow(
    /^there is no option folder; the options are directory, limit, /,
  );
});

test("createSmtpMailer refuses Deno, where e-mails would stay unsent without a word", () => {
  const { versions } = process;
  onTestFinished(() => void Object.defineProperty(process, "versions", { value: versions }));
  Object.defineProperty(process, "versions", { value: { ...versions, deno: "2.9.6" } });
  expect(() => createSmtpMailer({ url })).toThrow("Posthorn's SMTP mailer does not run on Deno (2.9.6), ");
});
