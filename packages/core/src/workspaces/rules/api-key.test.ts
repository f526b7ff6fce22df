import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digest } from "../../rules/tokens.ts";
import { apiKeyDigest, createApiKey } from "./api-key.ts";

describe("API keys", () => {
  test("have the specified form and are found by their digest", () => {
    const keys = Array.from({ length: 300 }, createApiKey);
    expect(new Set(keys.map(({ key }) => key)).size).toBe(300);
    for (const { key, prefix, digest: stored } of keys) {
      expect(key).toMatch(/^sk_[0-9A-Za-z]{40}$/);
      expect(prefix).toBe(key.slice(0, 8));
      expect(stored).toBe(digest(key));
      expect(apiKeyDigest(key)).toBe(stored);
    }
  });

  test("favour no character", () => {
    const random = Array.from({ length: 3_000 }, () => createApiKey().key.slice(3, 37)).join("");
    // A fair draw has 0.129 ± 0.001 of these eight; if the bytes from 248 on counted, it would have 0.156.
    expect(random.replace(/[^0-7]/g, "").length / random.length).toBeLessThan(0.14);
  });

  test("any one changed character breaks the checksum", () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 42 }), fc.constantFrom(..."09AZaz"), (at, character) => {
        const { key } = createApiKey();
        const changed = key.slice(0, at) + character + key.slice(at + 1);
        expect(apiKeyDigest(changed) === undefined).toBe(changed !== key);
      }),
    );
  });

  test("garbage is refused without hashing", () => {
    const { key } = createApiKey();
    for (const text of [
      "",
      "sk_",
      key.slice(1),
      `${key}0`,
      ` ${key}`,
      `${key}\n`,
      key.replace("sk_", "pk_"),
      "sk_" + "é".repeat(40),
    ]) {
      expect(apiKeyDigest(text)).toBeUndefined();
    }
  });
});
