import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

const sealVersion = "v1";
const keyIdBytes = 4;
const fingerprintBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;
const minLength = 32;
const minDistinct = 8;
/** Words that stand in for a key in documentation and in files to be filled in. */
const standIn =
  /32 (?:characters|chars|bytes)|change.?(?:me|this|it)|your.?secret|secret.?key.?here|example|placeholder/i;

/** A sealed secret that can't be read: it is damaged, or another key sealed it. Trying again changes nothing. */
export class SecretUnreadable extends Error {
  override readonly name = "SecretUnreadable";
  /** What to do about it; `undefined` if it can't be set anew. */
  readonly remedy: string | undefined;
  constructor(fault: string, { cause, remedy }: { cause?: unknown; remedy?: string } = {}) {
    super(remedy === undefined ? fault : `${fault}: ${remedy}`, { cause });
    this.remedy = remedy;
  }
}

/** Encrypts small secrets at rest and provides the key that signs sessions. */
export interface SecretBox {
  /** Identifies the secret key without revealing it: 8 hex digits. */
  keyId: string;
  /** Identifies the secret key for good without revealing it: 32 hex digits, stored beside the sealed secrets. */
  fingerprint: string;
  /** What its sealed texts begin with, and those of another key do not. */
  sealPrefix: string;
  /** Encrypts `plain`. `context` is "table:column:row id": the result can be decrypted only with the same context. */
  seal(plain: string, context: string): string;
  /** Decrypts. Throws `SecretUnreadable` if the text is damaged, or was sealed with another context or key. */
  open(sealed: string, context: string): string;
  /** Returns a keyed digest of the text: 64 hex digits. `purpose` separates uses. */
  mac(text: string, purpose: string): string;
  /** 32 bytes for HS256, independent of the encryption key. */
  jwtKey: Uint8Array;
  /** 32 bytes for the HMAC of the tokens that identify e-mails in bounce reports. */
  reportKey: Uint8Array;
  /** 64 bytes for the encryption of the tokens in tracked links and images. */
  trackingKey: Uint8Array;
}

/**
 * Creates the box from the secret key: AES-256-GCM with random 96-bit nonces, its keys derived by HKDF-SHA-256 (RFC
 * 5869). Throws an Error that says what is wrong with a short or obviously weak key.
 */
export function createSecretBox(secretKey: string | Uint8Array): SecretBox {
  const fault = secretKeyFault(secretKey);
  if (fault) throw new Error(`The secret key ${fault}`);
  const derive = (purpose: string, length: number): Uint8Array =>
    new Uint8Array(hkdfSync("sha256", secretKey, "posthorn", `posthorn/${sealVersion}/${purpose}`, length));
  const key = derive("encryption", 32);
  const macKey = derive("mac", 32);
  const keyId = Buffer.from(derive("key-id", keyIdBytes));
  const boundTo = (context: string): Buffer =>
    Buffer.from(`${sealVersion}\0${keyId.toString("hex")}\0${context}`);

  return {
    keyId: keyId.toString("hex"),
    fingerprint: Buffer.from(derive("fingerprint", fingerprintBytes)).toString("hex"),
    jwtKey: derive("jwt", 32),
    reportKey: derive("reports", 32),
    trackingKey: derive("tracking", 64),
    // Of 32 bits in base64, the last two share a character with the nonce.
    sealPrefix: `${sealVersion}.${keyId.toString("base64url").slice(0, 5)}`,

    mac: (text, purpose) => createHmac("sha256", macKey).update(`${purpose}\0${text}`, "utf8").digest("hex"),

    seal(plain, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(boundTo(context));
      const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return `${sealVersion}.${Buffer.concat([keyId, nonce, text, cipher.getAuthTag()]).toString("base64url")}`;
    },

    open(sealed, context) {
      if (!/^v1\.[\w-]+$/.test(sealed))
        throw new SecretUnreadable("this is not a sealed secret of a known version");
      const bytes = Buffer.from(sealed.slice(sealVersion.length + 1), "base64url");
      if (bytes.length < keyIdBytes + nonceBytes + tagBytes)
        throw new SecretUnreadable("the sealed secret is cut short");
      // Decoding overlooks a character too many, and the last one's unused bits.
      if (bytes.toString("base64url") !== sealed.slice(sealVersion.length + 1))
        throw new SecretUnreadable("the sealed secret is damaged");
      if (!bytes.subarray(0, keyIdBytes).equals(keyId)) {
        throw new SecretUnreadable("another secret key sealed it");
      }
      const textStart = keyIdBytes + nonceBytes;
      const nonce = bytes.subarray(keyIdBytes, textStart);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(boundTo(context));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      const start = decipher.update(bytes.subarray(textStart, -tagBytes));
      try {
        return Buffer.concat([start, decipher.final()]).toString("utf8");
      } catch (cause) {
        throw new SecretUnreadable("the sealed secret is damaged or belongs to another place", { cause });
      }
    },
  };
}

/** A stored secret that can be set anew. */
interface StoredSecret {
  sealed: string;
  context: string;
  /** What it is, such as "the webhook's secret". */
  name: string;
  /** What to do if it can't be read. */
  remedy: string;
}

/** Decrypts a stored secret. Throws `SecretUnreadable` that says which one it is, why it can't be read, and the remedy. */
export function openSecret(
  secrets: Pick<SecretBox, "open">,
  { sealed, context, name, remedy }: StoredSecret,
): string {
  try {
    return secrets.open(sealed, context);
  } catch (cause) {
    throw new SecretUnreadable(`${name} can't be read (${(cause as Error).message})`, { cause, remedy });
  }
}

/** Returns what is wrong with a secret key, as a phrase after its name; `undefined` if it is accepted. */
export function secretKeyFault(secretKey: string | Uint8Array): string | undefined {
  const units: (string | number)[] = [...secretKey];
  if (units.length < minLength) {
    return `must be at least ${minLength} characters long; it has ${units.length}. Make one with \`openssl rand -base64 48\`.`;
  }
  if (new Set(units).size < minDistinct || isRepetition(units)) {
    return "is too easy to guess; make one with `openssl rand -base64 48`.";
  }
  if (typeof secretKey === "string" && standIn.test(secretKey))
    return "is an example's, which everybody knows; make one with `openssl rand -base64 48`.";
  return undefined;
}

/** Whether some beginning, of half the length at most, is repeated to the end. */
function isRepetition(units: readonly (string | number)[]): boolean {
  // For each place the length of the longest beginning that ends there, too (Knuth, Morris, Pratt): each step goes on from
  // one before, as a wrong file taken for the key may have a million characters.
  const ends = new Uint32Array(units.length);
  let length = 0;
  for (let at = 1; at < units.length; at++) {
    while (length > 0 && units[at] !== units[length]) length = ends[length - 1] ?? 0;
    if (units[at] === units[length]) length += 1;
    ends[at] = length;
  }
  return length >= units.length / 2;
}
