import { randomUUID } from "node:crypto";
import { endOfString, isKeyUntil, nextOf } from "./json-strings.ts";

const quoteCode = 0x22;
const backslashCode = 0x5c;

/** JSON whose keys need no escapes, and what gives the objects parsed from it their own keys again. */
export interface PlainKeys {
  text: string;
  /** How many different keys can't be written without an escape. */
  standIns: number;
  restore(value: unknown): unknown;
}

/**
 * Replaces the keys with escapes in valid JSON. V8 takes one for another key of the same length that is written as it begins, if an
 * object had that after the same keys: once anybody sent `{"Gr\\u0":1}`, `{"Gr\u00f6\u00dfe":2}` has that key, too
 * (https://github.com/nodejs/node/issues/63785).
 */
export function withoutEscapedKeys(bytes: Uint8Array): PlainKeys {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mark = randomUUID();
  /** By keys that can't be written without an escape. */
  const standIns = new Map<string, string>();
  let text = "";
  let copied = 0;
  let nextEscape = nextOf(bytes, backslashCode, 0);
  for (let at = nextOf(bytes, quoteCode, 0); at < bytes.length; ) {
    const end = endOfString(bytes, at + 1);
    if (nextEscape < at) nextEscape = nextOf(bytes, backslashCode, at);
    if (nextEscape < end && isKeyUntil(bytes, end)) {
      const key = String(JSON.parse(source.toString("utf8", at, end + 1)));
      let plain = key;
      if (needsEscapes.test(key)) {
        plain = standIns.get(key) ?? `${mark} ${standIns.size}`;
        standIns.set(key, plain);
      }
      text += `${source.toString("utf8", copied, at)}"${plain}"`;
      copied = end + 1;
    }
    at = nextOf(bytes, quoteCode, end + 1);
  }
  const keys = new Map([...standIns].map(([key, plain]) => [plain, key]));
  return {
    text: (text + source.toString("utf8", copied)).replace(/^\ufeff/, ""),
    standIns: keys.size,
    restore: (value) => (keys.size === 0 ? value : withKeys(value, keys)),
  };
}

/** Matches what JSON or UTF-8 can't have without an escape, and other control characters. */
const needsEscapes = /["\\\p{Cc}\p{Surrogate}]/u;

function withKeys(value: unknown, keys: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withKeys(item, keys));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [keys.get(key) ?? key, withKeys(item, keys)]),
  );
}
