import { describe, expect, test } from "vitest";
import { createToken, digest } from "./tokens.ts";

describe("tokens", () => {
  test("are 32 random bytes of base64url", () => {
    const tokens = new Set(Array.from({ length: 500 }, createToken));
    expect(tokens.size).toBe(500);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
  });

  test("digest is SHA-256, as FIPS 180 has it", () => {
    expect(digest("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
