import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

const VERSION = "v1";
const KEY_ID_BYTES = 4;
const FINGERPRINT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MIN_LENGTH = 32;
const MIN_DISTINCT = 8;

/** Encrypts small secrets at rest and hands out the key that signs sessions. */
export interface SecretBox {
  /** Names the secret key, without telling anything of it: 8 hex digits. */
  keyId: string;
  /** Tells two secret keys apart for good, without telling anything of them: 32 hex digits, kept beside what was sealed. */
  fingerprint: string;
  /** Encrypts `plain`. `context` is "table:column:row id": what is sealed there opens only there. */
  seal(plain: string, context: string): string;
  /** Decrypts. Throws an Error if the text is damaged, or was sealed elsewhere or with another key. */
  open(sealed: string, context: string): string;
  /** A digest of the text that nobody can make who lacks the key: 64 hex digits. `purpose` tells uses apart. */
  mac(text: string, purpose: string): string;
  /** 32 bytes for HS256, independent of the encryption key. */
  jwtKey: Uint8Array;
  /** 32 bytes for the HMAC of the tokens by which reports name e-mails. */
  reportKey: Uint8Array;
}

/**
 * Makes the box from the secret key: AES-256-GCM with random 96-bit nonces, its keys derived by
 * HKDF-SHA-256 (RFC 5869). Throws an Error that says what is wrong with a short or obviously weak key.
 */
export function createSecretBox(secretKey: string | Uint8Array): SecretBox {
  const fault = secretKeyFault(secretKey);
  if (fault) throw new Error(`The secret key ${fault}`);
  const derive = (purpose: string, length: number): Uint8Array =>
    new Uint8Array(hkdfSync("sha256", secretKey, "posthorn", `posthorn/${VERSION}/${purpose}`, length));
  const key = derive("encryption", 32);
  const macKey = derive("mac", 32);
  const keyId = Buffer.from(derive("key-id", KEY_ID_BYTES));
  const boundTo = (context: string): Buffer =>
    Buffer.from(`${VERSION}\0${keyId.toString("hex")}\0${context}`);

  return {
    keyId: keyId.toString("hex"),
    fingerprint: Buffer.from(derive("fingerprint", FINGERPRINT_BYTES)).toString("hex"),
    jwtKey: derive("jwt", 32),
    reportKey: derive("reports", 32),

    mac: (text, purpose) => createHmac("sha256", macKey).update(`${purpose}\0${text}`, "utf8").digest("hex"),

    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(context));
      const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return `${VERSION}.${Buffer.concat([keyId, nonce, text, cipher.getAuthTag()]).toString("base64url")}`;
    },

    open(sealed, context) {
      if (!/^v1\.[\w-]+$/.test(sealed)) throw new Error("This is not a sealed secret of a known version.");
      const bytes = Buffer.from(sealed.slice(VERSION.length + 1), "base64url");
      if (bytes.length < KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES)
        throw new Error("The sealed secret is cut short.");
      if (!bytes.subarray(0, KEY_ID_BYTES).equals(keyId)) {
        throw new Error("The secret was sealed with another secret key.");
      }
      const textStart = KEY_ID_BYTES + NONCE_BYTES;
      const nonce = bytes.subarray(KEY_ID_BYTES, textStart);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(context));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const start = decipher.update(bytes.subarray(textStart, -TAG_BYTES));
      try {
        return Buffer.concat([start, decipher.final()]).toString("utf8");
      } catch (cause) {
        throw new Error("The sealed secret is damaged or belongs to another place.", { cause });
      }
    },
  };
}

/** What is wrong with a secret key, to stand behind its name; `undefined` if it will do. */
export function secretKeyFault(secretKey: string | Uint8Array): string | undefined {
  const units: (string | number)[] = [...secretKey];
  if (units.length < MIN_LENGTH) {
    return `must be at least ${MIN_LENGTH} characters long; it has ${units.length}.`;
  }
  if (new Set(units).size < MIN_DISTINCT || isRepetition(units)) {
    return "is too easy to guess; make one with `openssl rand -base64 48`.";
  }
  return undefined;
}

function isRepetition(units: readonly (string | number)[]): boolean {
  for (let period = 1; period <= units.length / 2; period++) {
    if (units.every((unit, index) => index < period || unit === units[index - period])) return true;
  }
  return false;
}
