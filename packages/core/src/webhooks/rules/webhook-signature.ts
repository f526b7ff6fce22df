import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const secretPrefix = "whsec_";

/** Creates a signing secret: `whsec_` and the base64 of 32 random bytes (decisions §10). */
export function createWebhookSecret(): string {
  return secretPrefix + randomBytes(32).toString("base64");
}

/** The values that a signature covers, and the secrets that make it. */
export interface SignatureInput {
  /** Secrets, newest first. After a rotation the former one follows. */
  secrets: readonly string[];
  /** The delivery's id, the same for every attempt. */
  id: string;
  /** Time of this attempt, ms since 1970. */
  timestamp: number;
  /** The raw request body. */
  body: string;
}

/**
 * Returns the signature headers of a delivery: `X-Service-Signature` (service.md, Webhook deliveries), keyed with the
 * newest secret's whole text, and the three headers of Standard Webhooks, keyed with each secret's decoded part.
 */
export function signatureHeaders({ secrets, id, timestamp, body }: SignatureInput): Record<string, string> {
  const newest = secrets[0];
  if (newest === undefined) throw new Error("A webhook delivery needs at least one signing secret.");
  const seconds = String(Math.floor(timestamp / 1_000));
  return {
    "X-Service-Signature": `sha256=${createHmac("sha256", newest).update(body).digest("hex")}`,
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": secrets.map((secret) => `v1,${standardDigest(secret, id, seconds, body)}`).join(" "),
  };
}

/** A delivery as its receiver gets it. */
export interface ReceivedWebhook {
  secret: string;
  /** Headers, with names in any case. */
  headers: Record<string, string | readonly string[] | undefined>;
  /** The raw body, before any parsing. */
  body: string | Uint8Array;
  /** Current time, ms since 1970. */
  now: number;
  /** Maximum difference of the timestamp from `now` in ms. Default 5 min. */
  toleranceMs?: number;
}

/**
 * Whether a delivery was sent by this service, is unaltered and recent. Checks the headers of Standard Webhooks, which
 * unlike `X-Service-Signature` cover the time and stay valid during a rotation. Never throws.
 */
export function verifyWebhook({
  secret,
  headers,
  body,
  now,
  toleranceMs = 300_000,
}: ReceivedWebhook): boolean {
  const id = headerOf(headers, "webhook-id");
  const seconds = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  if (!id || !signatures || !seconds || !/^\d{1,12}$/.test(seconds)) return false;
  if (Math.abs(now - Number(seconds) * 1_000) > toleranceMs) return false;
  const expected = Buffer.from(`v1,${standardDigest(secret, id, seconds, body)}`);
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function standardDigest(secret: string, id: string, seconds: string, body: string | Uint8Array): string {
  const key = Buffer.from(
    secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret,
    "base64",
  );
  return createHmac("sha256", key).update(`${id}.${seconds}.`).update(body).digest("base64");
}

function headerOf(headers: ReceivedWebhook["headers"], name: string): string | undefined {
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof entry === "string" ? entry : entry?.[0];
}
