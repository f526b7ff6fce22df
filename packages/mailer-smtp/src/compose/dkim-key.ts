import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import type { DkimKey } from "@posthorn/core";

// Signs in the thread pool: an RSA signature takes longer than composing and sending the mail.
const signInPool = promisify<string | null, Buffer, KeyObject, Buffer>(sign);

const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const domainName = new RegExp(`^${label}(?:\\.${label})+$`);
const selectorName = new RegExp(`^${label}(?:\\.${label})*$`);
const longestDomain = 253;
/** Verifiers reject shorter keys (RFC 8301 section 3.2). */
const leastModulus = 1024;

/** A DKIM key that was read and checked. */
export interface SigningKey {
  /** The domain that it signs for (`d=`), in ASCII. */
  domain: string;
  /** Names the key in DNS (`s=`). */
  selector: string;
  /** Signature algorithm (`a=`; RFC 6376, RFC 8463). */
  algorithm: "rsa-sha256" | "ed25519-sha256";
  /** The TXT record that belongs at `<selector>._domainkey.<domain>` (RFC 6376 section 3.6.1, RFC 8463). */
  record: string;
  /** Signs the canonical header fields. */
  sign(input: Buffer): Promise<Buffer>;
}

/**
 * Reads a key: RSA of at least 1024 bits, or Ed25519. Throws a TypeError that names the field and the fault. Domain and
 * selector are validated as domain names here, because they are written into a header field.
 */
export function readDkimKey(given: DkimKey): SigningKey {
  if (typeof given !== "object" || given === null)
    throw new TypeError("readDkimKey takes an object with domain, selector and privateKey");
  const { domain, selector, privateKey } = given;
  if (!isName(domain, domainName)) throw new TypeError("dkim.domain is not a domain name in ASCII");
  if (!isName(selector, selectorName))
    throw new TypeError("dkim.selector is not a name in ASCII, as one part of a domain name is");
  const key = parseKey(privateKey);
  const publicKey = createPublicKey(key);
  if (key.asymmetricKeyType === "ed25519") {
    const { x = "" } = publicKey.export({ format: "jwk" });
    return {
      domain,
      selector,
      algorithm: "ed25519-sha256",
      record: `v=DKIM1; k=ed25519; p=${Buffer.from(x, "base64url").toString("base64")}`,
      // RFC 8463 section 3: Ed25519 signs the digest.
      sign: (input) => signInPool(null, createHash("sha256").update(input).digest(), key),
    };
  }
  if (key.asymmetricKeyType !== "rsa")
    throw new TypeError("dkim.privateKey is neither an RSA nor an Ed25519 key");
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < leastModulus)
    throw new TypeError(`dkim.privateKey has less than ${leastModulus} bits, which nobody accepts`);
  return {
    domain,
    selector,
    algorithm: "rsa-sha256",
    record: `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`,
    sign: (input) => signInPool("sha256", input, key),
  };
}

function isName(text: string, pattern: RegExp): boolean {
  return typeof text === "string" && text.length <= longestDomain && pattern.test(text);
}

function parseKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw new TypeError("dkim.privateKey is no private key in PEM", { cause: error });
  }
}
