import { createHmac, randomBytes } from "node:crypto";
import fc from "fast-check";
import { jwtVerify, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../test/any-character.ts";
import { createJwtSigner } from "./jwt.ts";

const key = randomBytes(32);
const party = { issuer: "posthorn", audience: "posthorn" };
const signer = createJwtSigner(key);
const now = 1_800_000_000_000;
const seconds = now / 1000;
const DAY = 86_400;
const session = { userId: 7, sessionId: "01890a5d-ac96-774b-bcce-b302099a8057" };
const claims = {
  iss: party.issuer,
  aud: party.audience,
  sub: "7",
  jti: session.sessionId,
  iat: seconds,
  exp: seconds + DAY,
};

const encode = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
function forge(header: unknown, payload: unknown, secret: Uint8Array | string = key): string {
  const input = `${encode(header)}.${encode(payload)}`;
  return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
}
const HS256 = { alg: "HS256", typ: "JWT" };

describe("createJwtSigner", () => {
  test("verifies what it signed, until the very second of expiry", async () => {
    const token = await signer.sign({ ...session, issuedAt: now, expiresAt: now + DAY * 1000 });
    expect(await signer.verify(token, now)).toEqual(session);
    expect(await signer.verify(token, now + DAY * 1000 - 1)).toEqual(session);
    expect(await signer.verify(token, now + DAY * 1000)).toBeUndefined();
    expect(await signer.verify(token, now - 61_000)).toBeUndefined();
  });

  test("is valid until the ms of expiry, which the session's row decides", async () => {
    const issuedAt = now + 999;
    const expiresAt = issuedAt + DAY * 1000;
    const token = await signer.sign({ ...session, issuedAt, expiresAt });
    expect(await signer.verify(token, expiresAt - 1)).toEqual(session);
    expect(await signer.verify(token, expiresAt + 1)).toBeUndefined();
  });

  test.each([0, 1, 500, 999])("says that it lives for 24 hours, issued %d ms after a second", async (ms) => {
    const issuedAt = now + ms;
    const token = await signer.sign({ ...session, issuedAt, expiresAt: issuedAt + DAY * 1000 });
    const { iat, exp } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    expect(exp - iat).toBe(DAY);
    expect(await signer.verify(token, issuedAt)).toEqual(session);
  });

  test("jose verifies our tokens, and we verify jose's", async () => {
    const ours = await signer.sign({ ...session, issuedAt: now, expiresAt: now + 60_000 });
    const read = await jwtVerify(ours, key, {
      ...party,
      algorithms: ["HS256"],
      typ: "JWT",
      requiredClaims: ["sub", "jti", "iat", "exp"],
      maxTokenAge: "24h",
      currentDate: new Date(now),
    });
    expect(read.payload).toMatchObject({ sub: "7", jti: session.sessionId });
    const theirs = await new SignJWT({ jti: session.sessionId })
      .setProtectedHeader({ typ: "JWT", alg: "HS256", kid: "1" })
      .setIssuer(party.issuer)
      .setAudience(party.audience)
      .setSubject("7")
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + 60)
      .sign(key);
    expect(await signer.verify(theirs, now)).toEqual(session);
  });

  test("a forged token with the right claims is accepted, as a control of the cases below", async () => {
    expect(await signer.verify(forge(HS256, claims), now)).toEqual(session);
  });

  test.each([
    ["alg none", { ...HS256, alg: "none" }],
    ["alg nOnE", { ...HS256, alg: "nOnE" }],
    ["alg hs256", { ...HS256, alg: "hs256" }],
    ["RS256", { ...HS256, alg: "RS256" }],
    ["HS512", { ...HS256, alg: "HS512" }],
    ["no alg", { typ: "JWT" }],
    ["no typ", { alg: "HS256" }],
    ["other typ", { ...HS256, typ: "at+jwt" }],
    ["jwk", { ...HS256, jwk: {} }],
    ["jku", { ...HS256, jku: "https://evil" }],
    ["x5u", { ...HS256, x5u: "" }],
    ["crit", { ...HS256, crit: ["b64"] }],
    ["b64", { ...HS256, b64: false }],
    ["array", [HS256]],
    ["null", null],
    ["not JSON", "{"],
  ])("refuses the header: %s", async (_, header) => {
    expect(await signer.verify(forge(header, claims), now)).toBeUndefined();
  });

  test.each([
    ["no exp", { exp: undefined }],
    ["text exp", { exp: String(claims.exp) }],
    ["endless exp", '{"exp":1e400}'],
    ["fractional exp", { exp: seconds + 0.5 }],
    ["expired", { exp: seconds }],
    ["over 24 h", { exp: seconds + DAY + 2 }],
    ["no iat", { iat: undefined }],
    ["future iat", { iat: seconds + 61 }],
    ["old iat", { iat: seconds - DAY - 1, exp: seconds + 5 }],
    ["nbf", { nbf: seconds + 100 }],
    ["other iss", { iss: "https://evil" }],
    ["no iss", { iss: undefined }],
    ["other aud", { aud: "stream" }],
    ["list aud", { aud: [party.audience] }],
    ["no aud", { aud: undefined }],
    ["no sub", { sub: undefined }],
    ["number sub", { sub: 7 }],
    ["odd sub", { sub: "7 or 1=1" }],
    ["zero sub", { sub: "0" }],
    ["no jti", { jti: undefined }],
    ["empty jti", { jti: "" }],
    ["object jti", { jti: {} }],
  ])("refuses the claims: %s", async (_, change) => {
    const payload =
      typeof change === "string"
        ? JSON.stringify(claims).replace(/"exp":\d+/, change.slice(1, -1))
        : { ...claims, ...change };
    expect(await signer.verify(forge(HS256, payload), now)).toBeUndefined();
  });

  test("refuses other keys, the empty one, and short ones", async () => {
    for (const secret of [randomBytes(32), ""])
      expect(await signer.verify(forge(HS256, claims, secret), now)).toBeUndefined();
    expect(() => createJwtSigner(new Uint8Array(31))).toThrow("32 bytes");
  });

  test("changing, adding or removing any one character invalidates it", async () => {
    const token = forge(HS256, claims);
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(..."Ab9-_.="), async (at, character) => {
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        expect((await signer.verify(changed, now)) === undefined).toBe(changed !== token);
        expect(await signer.verify(token.slice(0, at) + token.slice(at + 1), now)).toBeUndefined();
      }),
    );
    for (const last of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
      const changed = token.slice(0, -1) + last;
      expect((await signer.verify(changed, now)) === undefined).toBe(changed !== token);
    }
  });

  test("refuses what is too long, and never rejects on garbage", async () => {
    expect(await signer.verify(forge(HS256, { ...claims, pad: "x".repeat(4_096) }), now)).toBeUndefined();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), async (text) => {
        expect(await signer.verify(text, now)).toBeUndefined();
      }),
    );
    for (const text of ["", ".", "..", "a.b.c", `${encode(HS256)}..`, `${forge(HS256, claims)}\n`])
      expect(await signer.verify(text, now)).toBeUndefined();
  });
});
