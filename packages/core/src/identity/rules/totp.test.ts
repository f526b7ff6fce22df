import fc from "fast-check";
import { generateSecret, generateSync, verifySync } from "otplib";
import { describe, expect, test } from "vitest";
import {
  createRecoveryCodes,
  createTotpSecret,
  recoveryCodeDigest,
  totpCode,
  totpUrl,
  verifyTotp,
} from "./totp.ts";

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
  ])("agrees with RFC 6238, appendix B, at %i s", (seconds, code) => {
    expect(verifyTotp(RFC_SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
    expect(totpCode(RFC_SECRET, seconds * 1000)).toBe(code);
  });

  test("agrees with otplib, both ways", () => {
    fc.assert(
      fc.property(instant, (now) => {
        const [ours, theirs] = [createTotpSecret(), generateSecret()];
        const epoch = Math.floor(now / 1000);
        expect(verifyTotp(theirs, generateSync({ secret: theirs, epoch }), now)).toBe(
          Math.floor(now / 30_000),
        );
        expect(verifySync({ secret: ours, token: totpCode(ours, now), epoch }).valid).toBe(true);
      }),
    );
  });

  test("takes one step of drift either way and names the step; two are refused", () => {
    const now = 1_700_000_010_000;
    const step = Math.floor(now / 30_000);
    for (const drift of [-1, 0, 1])
      expect(verifyTotp(RFC_SECRET, totpCode(RFC_SECRET, now + drift * 30_000), now)).toBe(step + drift);
    for (const drift of [-2, 2])
      expect(verifyTotp(RFC_SECRET, totpCode(RFC_SECRET, now + drift * 30_000), now)).toBeUndefined();
  });

  test("takes spaces, refuses every other writing without throwing", () => {
    expect(verifyTotp(RFC_SECRET, " 287 082 ", 59_000)).toBe(1);
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
      expect(verifyTotp(RFC_SECRET, code, 59_000)).toBeUndefined();
    }
    expect(verifyTotp("", "287082", 59_000)).toBeUndefined();
    expect(verifyTotp("not base32!", "287082", 59_000)).toBeUndefined();
    expect(verifyTotp(RFC_SECRET, "000000", 0)).toBeUndefined();
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        instant,
        (code, now) => void verifyTotp(RFC_SECRET, code, now),
      ),
    );
  });
});

test("a secret is 160 bits of base32", () => {
  expect(createTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(new Set(Array.from({ length: 200 }, createTotpSecret)).size).toBe(200);
});

test("the URL keeps issuer, account and secret apart", () => {
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

test("recovery codes are ten, distinct, and known by any writing", () => {
  const codes = createRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^[02-9a-hjkmnp-z]{5}-[02-9a-hjkmnp-z]{5}$/);
    expect(recoveryCodeDigest(` ${code.toUpperCase().replace("-", " ")} `)).toBe(recoveryCodeDigest(code));
  }
  expect(new Set(codes.map(recoveryCodeDigest)).size).toBe(10);
});
