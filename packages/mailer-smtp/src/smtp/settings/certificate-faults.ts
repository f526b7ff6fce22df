import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext, type SecureVersion } from "node:tls";
import { ciphersFor } from "./ciphers-for.ts";

type Pem = string | Buffer;

/** Why a certificate can't be used, in words that follow the names of its files and a colon. */
export interface CertificateFault {
  why: string;
  cause: unknown;
}

/**
 * Tells why a certificate with its chain and its private key can't be used together, by connections of at least a
 * version: old ones take smaller keys, too. `undefined` if they can.
 */
export function keyPairFault(cert: Pem, key: Pem, minVersion?: SecureVersion): CertificateFault | undefined {
  const [certificate, privateKey] = [readCertificate(cert), parse(() => createPrivateKey(key))];
  if (certificate instanceof Error) return noCertificate(certificate);
  if (privateKey instanceof Error) return { why: whyNoKey(key), cause: privateKey };
  // TLS itself misses a key of another kind than the certificate's, and no handshake would succeed.
  if (!certificate.checkPrivateKey(privateKey))
    return { why: "the key is another certificate's", cause: undefined };
  const context = parse(() => createSecureContext({ cert, key, ...ciphersFor(minVersion) }));
  return context instanceof Error ? { why: context.message, cause: context } : undefined;
}

/** Tells why root certificates can't be used: TLS itself takes a text without any, and then trusts nobody. */
export function rootsFault(ca: Pem): CertificateFault | undefined {
  const certificate = readCertificate(ca);
  return certificate instanceof Error ? noCertificate(certificate) : undefined;
}

/** Throws a `TypeError` for a fault of these: each connection would fail, and the mail wait until it is given up. */
export function assertUsable(names: string, fault: CertificateFault | undefined): void {
  if (fault !== undefined)
    throw new TypeError(`${names} can't be used: ${fault.why}`, { cause: fault.cause });
}

/** Unlike TLS itself, Node reads a certificate in DER here, too. */
function readCertificate(pem: Pem): X509Certificate | Error {
  const certificate = parse(() => new X509Certificate(pem));
  return certificate instanceof Error || pem.includes("-----BEGIN ") ? certificate : new NotPem();
}

class NotPem extends Error {}

const noCertificate = (cause: Error): CertificateFault => ({
  why: cause instanceof NotPem ? "the certificate isn't PEM" : "there is no certificate",
  cause,
});

/** A key that is encrypted says so in its label, or in a header beneath it. */
const whyNoKey = (key: Pem): string =>
  key.includes("ENCRYPTED") ? "the key has a pass phrase" : "there is no private key";

function parse<T>(read: () => T): T | Error {
  try {
    return read();
  } catch (error) {
    return error as Error;
  }
}
