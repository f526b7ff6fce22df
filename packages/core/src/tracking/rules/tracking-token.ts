import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";

/** The e-mail, and the recipient, whose opening or click a token stands for. */
export interface TrackedRecipient {
  /** Row number of the e-mail in the storage. */
  row: number;
  /** Position of the recipient among the e-mail's, from 0; `undefined` if the message was sent to several. */
  position: number | undefined;
}

/** What a tracking token stands for. */
export type TrackingSubject = TrackedRecipient &
  (
    | { kind: "open" }
    | { kind: "click" /** Number of the link in the message, from 0. */; link: number; url: string }
  );

/** Makes and reads the tokens in tracked links and images (platform.md P11). */
export interface TrackingTokens {
  /** Makes a token of `A-Z a-z 0-9 - _`. The same subject has the same token, as a retried message stays the same. */
  make(subject: TrackingSubject): string;
  /** Returns what the token stands for; `undefined` if this service did not make it. */
  read(token: string): TrackingSubject | undefined;
}

/** Maximum bytes of a destination that is read. */
export const maxTrackedUrlBytes = 8 * 1024;

const version = 1;
const openKind = 0;
const clickKind = 1;
const several = 255;
const keyBytes = 32;
const headBytes = 11;
const nonceBytes = 12;
const tagBytes = 16;
const maxLink = 0xffff;
/** Returns the length of a token whose destination has so many bytes. */
const lengthWith = (urlBytes: number): number =>
  Math.ceil(((nonceBytes + headBytes + urlBytes + tagBytes) * 4) / 3);
const maxToken = lengthWith(maxTrackedUrlBytes);

/** Makes texts that are as long as tokens and mean nothing: a dry run of thousands of links needs no more. */
export const tokenLengths: Pick<TrackingTokens, "make"> = {
  make: (subject) => "x".repeat(lengthWith(Buffer.byteLength(urlOf(subject)))),
};

const urlOf = (subject: TrackingSubject): string => (subject.kind === "click" ? subject.url : "");

/**
 * Creates tokens under a key of 64 bytes: AES-256-GCM by its first half, with a nonce that is an HMAC-SHA-256 of the
 * content by its second half, so that equal nonces mean equal contents (as RFC 5297 section 3 derives them). Tokens
 * under `former` keys are read as well, because links are followed for years.
 */
export function createTrackingTokens(key: Uint8Array, former: readonly Uint8Array[] = []): TrackingTokens {
  return {
    make(subject) {
      const plain = encode(subject);
      const nonce = nonceOf(plain, key);
      const cipher = createCipheriv("aes-256-gcm", key.subarray(0, keyBytes), nonce, {
        authTagLength: tagBytes,
      });
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString(
        "base64url",
      );
    },
    read(token) {
      if (token.length > maxToken) return undefined;
      const bytes = Buffer.from(token, "base64url");
      if (bytes.length < nonceBytes + headBytes + tagBytes) return undefined;
      // Decoding overlooks a character too many, and whatever is not of the alphabet.
      if (bytes.toString("base64url") !== token) return undefined;
      for (const one of [key, ...former]) {
        const plain = decrypt(bytes, one);
        if (plain !== undefined) return decode(plain);
      }
      return undefined;
    },
  };
}

const nonceOf = (plain: Uint8Array, key: Uint8Array): Buffer =>
  createHmac("sha256", key.subarray(keyBytes)).update(plain).digest().subarray(0, nonceBytes);

function decrypt(bytes: Buffer, key: Uint8Array): Buffer | undefined {
  const nonce = bytes.subarray(0, nonceBytes);
  const decipher = createDecipheriv("aes-256-gcm", key.subarray(0, keyBytes), nonce, {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const start = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
  try {
    return Buffer.concat([start, decipher.final()]);
  } catch {
    return undefined;
  }
}

function encode(subject: TrackingSubject): Buffer {
  const url = urlOf(subject);
  const bytes = Buffer.alloc(headBytes + Buffer.byteLength(url));
  bytes[0] = version;
  bytes[1] = subject.kind === "click" ? clickKind : openKind;
  bytes.writeUIntBE(subject.row, 2, 6);
  bytes[8] = Math.min(subject.position ?? several, several);
  // Links beyond the range only look alike when several are followed at once.
  if (subject.kind === "click") bytes.writeUInt16BE(Math.min(subject.link, maxLink), 9);
  bytes.write(url, headBytes, "utf8");
  return bytes;
}

function decode(bytes: Buffer): TrackingSubject | undefined {
  if (bytes[0] !== version) return undefined;
  const position = bytes.readUInt8(8);
  const recipient = { row: bytes.readUIntBE(2, 6), position: position === several ? undefined : position };
  if (bytes[1] === openKind) return { ...recipient, kind: "open" };
  if (bytes[1] !== clickKind) return undefined;
  const link = bytes.readUInt16BE(9);
  return { ...recipient, kind: "click", link, url: bytes.toString("utf8", headBytes) };
}
