import fc from "fast-check";
import { generateSync } from "otplib";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../test/any-character.ts";
import { createTotpSecret, totpUrl, verifyTotp } from "./totp.ts";

const RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const instant = fc.integer({ min: 100_000, max: 4e12 });

describe("verifyTotp", () => {
  test.each([
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ])("agrees with RFC 6238, appendix B, at %i s", async (seconds, code) => {
    expect(await verifyTotp(RFC_SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  test("accepts one step of drift either way and returns the step; two are refused", async () => {
    await fc.assert(
      fc.asyncProperty(instant, fc.constantFrom(-2, -1, 0, 1, 2), async (now, drift) => {
        const secret = await createTotpSecret();
        const epoch = Math.floor(now / 1000) + drift * 30;
        const step = await verifyTotp(secret, generateSync({ secret, epoch }), now);
        // The code of another step is equal by chance once in 300,000 cases.
        if (Math.abs(drift) <= 1) expect(step).toBe(Math.floor(epoch / 30));
        else expect(step).not.toBe(Math.floor(epoch / 30));
      }),
    );
  });

  test("accepts spaces, and refuses anything else without throwing", async () => {
    expect(await verifyTotp(RFC_SECRET, " 287 082 ", 59_000)).toBe(1);
    for (const code of [
      "",
      " ",
      "28708",
      "2870820",
      "２８７０８２",
      "28708a",
      "-28708",
      "2.8e55",
      "287082\n",
      "287\t082",
      "٢٨٧٠٨٢",
    ]) {
      expect(await verifyTotp(RFC_SECRET, code, 59_000)).toBeUndefined();
    }
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: anyCharacter }),
        instant,
        async (code, now) => void (await verifyTotp(RFC_SECRET, code, now)),
      ),
    );
  });
});

test("a secret is 160 bits of base32", async () => {
  const secrets = await Promise.all(Array.from({ length: 200 }, createTotpSecret));
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(new Set(secrets).size).toBe(200);
});

test("the URL separates issuer, account and secret", () => {
  const url = new URL(totpUrl({ secret: RFC_SECRET, account: "a+b&c@ex.com", issuer: "Post: horn" }));
  expect(url.protocol + url.host).toBe("otpauth:totp");
  expect(decodeURIComponent(url.pathname)).toBe("/Post  horn:a+b&c@ex.com");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    secret: RFC_SECRET,
    issuer: "Post  horn",
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});
