import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";

const generate = promisify(generateKeyPair);

/** A key pair to sign mail with. */
export interface DkimKeyPair {
  /** PKCS #8 in PEM. */
  privateKey: string;
  /** SubjectPublicKeyInfo in base64. */
  publicKey: string;
}

/** Makes an RSA key of 2,048 bits, off the event loop: what every receiver can check, and what fits in DNS answers. */
export async function createKeyPair(): Promise<DkimKeyPair> {
  const { privateKey, publicKey } = await generate("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return { privateKey, publicKey: publicKey.toString("base64") };
}
