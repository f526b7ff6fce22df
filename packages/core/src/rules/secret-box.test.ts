import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../test/any-character.ts";
import { createSecretBox, secretKeyFault } from "./secret-box.ts";

const KEY = "kW3qTz8vLpYc0RrUe5Hn2XsB7mJd9Gfa4iOt";
const box = createSecretBox(KEY);

describe("createSecretBox", () => {
  test("decrypts what it encrypted for the same place", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string(), (plain, context) => {
        expect(box.open(box.seal(plain, context), context)).toBe(plain);
      }),
    );
  });

  test("never produces the same text twice, nor the plain one", () => {
    const [one, two] = [box.seal("hunter2", "users:totp:1"), box.seal("hunter2", "users:totp:1")];
    expect(one).toMatch(/^v1\.[\w-]+$/);
    expect(one).not.toBe(two);
    expect(Buffer.from(one.slice(3), "base64url").includes("hunter2")).toBe(false);
  });

  test("a text moved to another row, column or table can't be decrypted", () => {
    const sealed = box.seal("secret", "webhooks:secret:1");
    for (const context of ["webhooks:secret:2", "webhooks:old_secret:1", "users:secret:1", ""]) {
      expect(() => box.open(sealed, context)).toThrow("another place");
    }
  });

  test("any flipped bit is detected", () => {
    const bytes = Buffer.from(box.seal("secret", "c").slice(3), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => box.open(`v1.${flipped.toString("base64url")}`, "c")).toThrow(Error);
    }
  });

  test("a text that decodes to the same bytes is none of ours", () => {
    const sealed = box.seal("secret", "c");
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const others = [...letters].filter((letter) => letter !== sealed.at(-1));
    expect(others).toHaveLength(63);
    for (const text of [...others.map((letter) => sealed.slice(0, -1) + letter), `${sealed}A`])
      expect(() => box.open(text, "c")).toThrow(Error);
  });

  test("malformed texts are errors", () => {
    for (const text of ["", "v1.", "v2.AAAA", "v1.AAAA", "v1.%%%", "plain"]) {
      expect(() => box.open(text, "c")).toThrow(Error);
    }
  });

  test("another key is reported as the reason", () => {
    const other = createSecretBox(randomBytes(32));
    expect(() => other.open(box.seal("x", "c"), "c")).toThrow("another secret key");
  });

  test("the same key gives the same box; its keys differ by purpose", () => {
    const again = createSecretBox(KEY);
    expect(again.open(box.seal("x", "c"), "c")).toBe("x");
    expect(again.jwtKey).toEqual(box.jwtKey);
    expect(box.jwtKey).toHaveLength(32);
    expect(Buffer.from(box.jwtKey).toString("hex").startsWith(box.keyId)).toBe(false);
  });
});

test("keeps what it derives from a key: stored secrets, sessions and the tokens of sent mail depend on it", () => {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  expect(box.keyId).toBe("9893c65f");
  expect(box.fingerprint).toBe("992b6884666658a6711cf2ae2ecb51b8");
  expect(hex(box.jwtKey)).toBe("0fa8b5552290669cb3cada36fe4af3aace71eeb29153482e73b02442a09f3799");
  expect(hex(box.reportKey)).toBe("2d69e9790c8ec238cfcd1ec222273f8f4a9df5721005f7bf5bd76ba185114bd3");
  expect(hex(box.trackingKey)).toBe(
    "f5dfe6052e56259d74ec63f78ed266058e6756bc24792c731cca4511003241b32fd1870649071d53345cd3abfa5aff971c6a64ddcc21ae9ed53754676601c123",
  );
  expect(box.mac("text", "purpose")).toBe("f43deea8bc9fbfe3101997a1f6c3874a5dbf794207eea7fec9fba5f7328caff2");
  const sealed = "v1.mJPGXxjxLAyXpyHLaYA0qa6AfvZWW14CnkM_Pu3Wk9bWejl-XiA";
  expect(box.open(sealed, "table:column:1")).toBe("secret");
});

describe("secretKeyFault", () => {
  test.each([
    "",
    "short",
    "a".repeat(64),
    "0123456789abcdef".repeat(4),
    "changeme".repeat(8),
    new Uint8Array(64),
    new Uint8Array(31).map((_, i) => i),
  ])("refuses weak key %#", (key) => {
    expect(secretKeyFault(key)).toMatch(/^(must be at least|is too easy)/);
    expect(() => createSecretBox(key)).toThrow(/^The secret key (must be at least|is too easy)/);
  });

  test.each([
    "32 characters or more, kept as long as the database",
    "<change-me: output of openssl rand -base64 48>",
    "your-secret-key-your-very-own-secret-key",
    "ExampleKeyExampleKey/of/the/docs/0123456789",
  ])("refuses a key that everybody knows from an example: %s", (key) => {
    expect(secretKeyFault(key)).toMatch(/^is an example's/);
    expect(() => createSecretBox(key)).toThrow("The secret key is an example's");
  });

  test("judges a wrong file of a million bytes, too, without a look at each pair of them", () => {
    expect(secretKeyFault(randomBytes(1_000_000))).toBeUndefined();
    const lines = Buffer.from("a line of a log, which is repeated\n".repeat(15_000));
    expect(secretKeyFault(Buffer.concat([lines, Buffer.from("and ends")]))).toBeUndefined();
    expect(secretKeyFault(lines)).toMatch(/easy to guess/);
  });

  test("accepts random keys in every common encoding", () => {
    for (let i = 0; i < 200; i++) {
      for (const key of [
        randomBytes(32),
        randomBytes(24).toString("base64"),
        randomBytes(32).toString("hex"),
      ]) {
        expect(secretKeyFault(key)).toBeUndefined();
      }
    }
  });
});
