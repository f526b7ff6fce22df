import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { isJsonObject } from "../../rules/is-json-object.ts";

/** The user and session that a token was issued for. */
export interface SessionClaims {
  userId: number;
  sessionId: string;
}

/** Signs and verifies session tokens. Times are in ms since 1970. */
export interface JwtSigner {
  sign(session: SessionClaims & { issuedAt: number; expiresAt: number }): Promise<string>;
  /**
   * Returns the claims of a usable token, else `undefined`. Never rejects. The caller must check whether the session
   * was revoked.
   */
  verify(token: string, now: number): Promise<SessionClaims | undefined>;
  /** Whether the token was signed with this key, expired or not. */
  isOwn(token: string): boolean;
}

const maxTokenLength = 4_096;
const maxAgeSecs = 24 * 60 * 60;
/** How far the clock may have been set back, in seconds, when the time of issue is checked. Expiry has no tolerance. */
const clockSkewSecs = 60;
/**
 * Issuer and audience. Not the base URL: processes that share a database listen at different addresses, and a login
 * outlasts a start at another.
 */
const party = "posthorn";
const headerKeys = new Set(["alg", "typ", "kid"]);
const jwtHeader = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url");

/**
 * Creates a signer of session tokens (service.md, Authentication; RFC 7519), which accepts HS256 only. It uses
 * node:crypto and takes a few µs a token; jose's WebCrypto takes 175 µs. The tests compare it with jose. `key` has 32
 * bytes or more.
 */
export function createJwtSigner(key: Uint8Array): JwtSigner {
  if (key.length < 32) throw new Error("The key that signs sessions must have at least 32 bytes.");
  const secret = createSecretKey(key);
  const mac = (input: string): Buffer => createHmac("sha256", secret).update(input).digest();

  /** Returns the claims of a token that was signed with this key, expired or not. */
  function open(token: string): Record<string, unknown> | undefined {
    if (typeof token !== "string" || token.length > maxTokenLength) return undefined;
    const parts = /^([\w-]+)\.([\w-]+)\.([\w-]{43})$/.exec(token);
    if (!parts) return undefined;
    const [, header = "", payload = "", signature = ""] = parts;
    if (header !== jwtHeader && !isAcceptableHeader(decode(header))) return undefined;
    const expected = mac(`${header}.${payload}`);
    const given = Buffer.from(signature, "base64url");
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    // The last character carries two unused bits: accept only one spelling of a signature.
    if (given.toString("base64url") !== signature) return undefined;
    const claims = decode(payload);
    return claims && claims.iss === party && claims.aud === party ? claims : undefined;
  }

  return {
    async sign({ userId, sessionId, issuedAt, expiresAt }) {
      const claims = {
        iss: party,
        aud: party,
        sub: String(userId),
        jti: sessionId,
        // The session's row ends it to the ms: rounded down, it would end before the time that its holder was told. Both
        // are rounded up, so that a login of 24 hours says 24 hours.
        iat: Math.ceil(issuedAt / 1_000),
        exp: Math.ceil(expiresAt / 1_000),
      };
      const input = `${jwtHeader}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
      return `${input}.${mac(input).toString("base64url")}`;
    },

    async verify(token, now) {
      const claims = open(token);
      return claims && readClaims(claims, toSeconds(now));
    },

    isOwn: (token) => open(token) !== undefined,
  };
}

function isAcceptableHeader(header: Record<string, unknown> | undefined): boolean {
  return (
    header?.alg === "HS256" &&
    header.typ === "JWT" &&
    Object.keys(header).every((name) => headerKeys.has(name))
  );
}

function readClaims(claims: Record<string, unknown>, now: number): SessionClaims | undefined {
  const { sub, jti, iat, exp, nbf } = claims;
  if (typeof sub !== "string" || !/^[1-9]\d{0,15}$/.test(sub)) return undefined;
  if (typeof jti !== "string" || jti === "") return undefined;
  if (!isInstant(iat) || !isInstant(exp) || nbf !== undefined) return undefined;
  const isCurrent = exp > now && iat <= now + clockSkewSecs;
  return isCurrent && exp - iat <= maxAgeSecs ? { userId: Number(sub), sessionId: jti } : undefined;
}

function isInstant(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
