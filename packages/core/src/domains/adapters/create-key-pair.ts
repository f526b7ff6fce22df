import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import type { DkimAlgorithm } from "../../ports/storage.ts";
import { publicKeyText } from "../rules/dkim-names.ts";

const generateKeys = promisify(generateKeyPair);

/** A key pair for DKIM signatures. */
export interface DkimKeyPair {
  /** The private key as PKCS #8 in PEM. */
  privateKey: string;
  /** The public key as `p=` of the DNS record. */
  publicKey: string;
}

/**
 * Creates a key pair outside the event loop: RSA of 2,048 bits, which every receiver can check and which fits in DNS
 * answers, or Ed25519 (RFC 8463).
 */
export async function createKeyPair(algorithm: DkimAlgorithm): Promise<DkimKeyPair> {
  const { privateKey, publicKey } = await (algorithm === "ed25519"
    ? generateKeys("ed25519")
    : generateKeys("rsa", { modulusLength: 2048 }));
  const info = publicKey.export({ type: "spki", format: "der" });
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKey: publicKeyText(algorithm, info),
  };
}
