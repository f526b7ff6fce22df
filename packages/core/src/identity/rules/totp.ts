import type { KeyObject } from "node:crypto";
import { createHmac, createSecretKey, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { digest } from "../../rules/tokens.ts";

// Thirty lines on node:crypto rather than otplib, which costs 25 ms to import and throws on malformed codes;
// the tests hold the two against each other.
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** 32 characters without 1, i, l and o (0 can only be a zero): ten of them hold 50 bits. */
const RECOVERY_ALPHABET = "023456789abcdefghjkmnpqrstuvwxyz";
const STEP_MS = 30_000;

/** Makes a shared secret: 160 random bits in base32, 32 characters (RFC 4226 §4). */
export function createTotpSecret(): string {
  const bytes = randomBytes(20);
  let text = "";
  for (let bit = 0; bit < 160; bit += 5) {
    const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    text += BASE32.charAt((pair >> (11 - (bit & 7))) & 31);
  }
  return text;
}

/** The `otpauth://` URL by which authenticator apps learn the secret. */
export function totpUrl({
  secret,
  account,
  issuer,
}: {
  secret: string;
  account: string;
  issuer: string;
}): string {
  // A colon parts issuer and account in the label, so neither may bring its own.
  const label = [issuer, account].map((part) => encodeURIComponent(part.replaceAll(":", " "))).join(":");
  const query = `secret=${secret}&issuer=${encodeURIComponent(issuer.replaceAll(":", " "))}`;
  return `otpauth://totp/${label}?${query}&algorithm=SHA1&digits=6&period=30`;
}

/**
 * Checks a code (RFC 6238, SHA-1, 6 digits, 30 s, one step of drift either way) and answers the time step it
 * belongs to, or `undefined`. The caller must refuse a step already used. Never throws on a malformed code.
 * `now` is in ms since 1970.
 */
export function verifyTotp(secret: string, code: string, now: number): number | undefined {
  const digits = code.replaceAll(" ", "");
  if (!/^[0-9]{6}$/.test(digits)) return undefined;
  const bytes = decodeBase32(secret);
  if (bytes.length === 0) return undefined;
  const key = createSecretKey(bytes);
  const given = Buffer.from(digits);
  const current = Math.floor(now / STEP_MS);
  let accepted: number | undefined;
  for (const step of [current - 1, current + 1, current]) {
    if (step >= 0 && timingSafeEqual(Buffer.from(totpAt(key, step)), given)) accepted = step;
  }
  return accepted;
}

/** The code an authenticator would show at `now` (ms): for the command line's demo and for tests. */
export function totpCode(secret: string, now: number): string {
  return totpAt(createSecretKey(decodeBase32(secret)), Math.floor(now / STEP_MS));
}

function totpAt(key: KeyObject, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", key).update(counter).digest();
  // Dynamic truncation, RFC 4226 §5.3.
  const offset = mac.readUInt8(19) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

function decodeBase32(text: string): Uint8Array {
  const bytes: number[] = [];
  let buffer = 0;
  let bits = 0;
  for (const character of text.toUpperCase().replace(/[ =]/g, "")) {
    const value = BASE32.indexOf(character);
    if (value < 0) return new Uint8Array();
    buffer = ((buffer << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((buffer >> bits) & 255);
    }
  }
  return Uint8Array.from(bytes);
}

/** Makes ten one-time codes for a lost authenticator, `xxxxx-xxxxx` without look-alike characters. */
export function createRecoveryCodes(): string[] {
  const half = (): string =>
    Array.from({ length: 5 }, () => RECOVERY_ALPHABET.charAt(randomInt(RECOVERY_ALPHABET.length))).join("");
  return Array.from({ length: 10 }, () => `${half()}-${half()}`);
}

/** SHA-256 of a recovery code, whatever its case, dashes and spaces. Only this is stored. */
export function recoveryCodeDigest(code: string): string {
  return digest(code.toLowerCase().replace(/[\s-]/g, ""));
}
