import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testCertificate } from "../../../../mailer-smtp/test/test-certificate.ts";
import { makeFolder } from "../../../test/run-command.ts";
import { checkCertificates } from "./check-certificates.ts";

const { cert, key } = testCertificate;
const end = new X509Certificate(cert).validToDate;
const day = 86_400_000;

function filesOf(...texts: string[]): string[] {
  const folder = makeFolder();
  return texts.map((text, at) => {
    const file = join(folder, `${at}.pem`);
    writeFileSync(file, text);
    return file;
  });
}

test.each([
  [15 * day, "ok", "expires on"],
  [13 * day, "warning", "expires on"],
  [0, "broken", "expired on"],
])("the doctor looks at the end of the inbound port's certificate: %d ms before it", (left, state, words) => {
  const [finding] = checkCertificates(
    { inbound_certificate: filesOf(cert, key), smtp_url: undefined },
    end.getTime() - left,
  );
  expect(finding).toMatchObject({ state, found: expect.stringContaining(words) });
  expect(finding?.found).toContain(end.toISOString().slice(0, 10));
});

test("the doctor names a certificate that can't be used, and says nothing where none is set", () => {
  const [finding] = checkCertificates({ inbound_certificate: filesOf("nothing"), smtp_url: "capture:" });
  expect(finding).toMatchObject({ state: "broken", found: expect.stringContaining("0.pem can't be used") });
  expect(checkCertificates({ inbound_certificate: undefined, smtp_url: undefined })).toEqual([]);
});

test.each([
  [15 * day, "ok", "expires on"],
  [13 * day, "warning", "expires on"],
  [0, "warning", "expired on"],
])("it looks at the end of the certificate for the mail server: %d ms before it", (left, state, words) => {
  const [certFile = "", keyFile = ""] = filesOf(cert, key);
  const url = `smtps://mail.example.com?cert_file=${encodeURIComponent(certFile)}&key_file=${encodeURIComponent(keyFile)}`;
  const settings = { inbound_certificate: undefined, smtp_url: url };
  expect(checkCertificates(settings, end.getTime() - left)).toEqual([
    expect.objectContaining({ state, found: expect.stringContaining(words) }),
  ]);
  const missing = { ...settings, smtp_url: url.replace(encodeURIComponent(certFile), "no-such-file") };
  expect(checkCertificates(missing)).toEqual([]);
});
