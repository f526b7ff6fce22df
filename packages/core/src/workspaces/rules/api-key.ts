import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { digest } from "../../rules/tokens.ts";

const base62Alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 34;
const validForm = /^sk_[0-9A-Za-z]{40}$/;

/** A new API key. Only `prefix` and `digest` are stored; `key` is shown once. */
export interface NewApiKey {
  /** `sk_`, 34 random base62 characters (202 bits) and a checksum of 6. */
  key: string;
  /** The key's first 8 characters, to tell keys apart. */
  prefix: string;
  /** SHA-256 of the key, hex. */
  digest: string;
}

/** Creates an API key (decisions §8). */
export function createApiKey(): NewApiKey {
  const body = `sk_${randomBase62(randomLength)}`;
  const key = body + checksum(body);
  return { key, prefix: key.slice(0, 8), digest: digest(key) };
}

/** Returns the digest to look a key up by, or `undefined` if the text has no valid form: such a text costs no query. */
export function apiKeyDigest(key: string): string | undefined {
  if (!validForm.test(key)) return undefined;
  return checksum(key.slice(0, -6)) === key.slice(-6) ? digest(key) : undefined;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let i = 0; i < 6; i++) {
    text = base62Alphabet.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte; the values above it would favour the first characters.
      if (byte < 248 && text.length < length) text += base62Alphabet.charAt(byte % 62);
    }
  }
  return text;
}
