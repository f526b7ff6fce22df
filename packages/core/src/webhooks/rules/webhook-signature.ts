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
    "webhook-signature": secrets
      .map((secret) => `v1,${standardDigest(decodeSecret(secret), id, seconds, body)}`)
      .join(" "),
  };
}

/** A delivery as its receiver gets it. */
export interface ReceivedWebhook {
  /** The webhook's signing secret, `whsec_…`: shown when the webhook was created, or its secret last rotated. */
  secret: string;
  /** The request's headers: those of node:http, with names in any case, or the `Headers` of a `Request`. */
  headers: Record<string, string | readonly string[] | undefined> | Pick<Headers, "get">;
  /** The raw body, before any parsing. */
  body: string | Uint8Array;
  /** Current time, ms since 1970. Default: the machine's clock. */
  now?: number | undefined;
  /** Maximum difference of the timestamp from `now` in ms. Default 300,000, five minutes. */
  toleranceMs?: number | undefined;
}

/**
 * Whether a delivery was sent by this service, is unaltered and recent. Checks the headers of Standard Webhooks, which
 * unlike `X-Service-Signature` cover the time and stay valid during a rotation. Nothing that a sender can send makes it
 * throw. Throws a `TypeError` for a mistake of the receiver: a secret that is missing or too short, headers that
 * are missing, a parsed body, a time that is no number.
 */
export function verifyWebhook(received: ReceivedWebhook): boolean {
  if (Object(received) !== received) throw new TypeError("verifyWebhook takes { secret, headers, body }");
  const { secret, headers, body, now = Date.now(), toleranceMs = 300_000 } = received;
  const key = keyOf(secret);
  if (typeof body !== "string" && !(body instanceof Uint8Array))
    throw new TypeError("body must be the raw body, as text or bytes: it was parsed already");
  // Node's `rawHeaders` is a list, in which nothing would be found.
  if (Object(headers) !== headers || Array.isArray(headers))
    throw new TypeError("headers must be the request's, by their names");
  if (!Number.isFinite(now)) throw new TypeError("now must be ms since 1970, such as Date.now()");
  if (typeof toleranceMs !== "number" || Number.isNaN(toleranceMs))
    throw new TypeError("toleranceMs must be a number of ms");
  const id = headerOf(headers, "webhook-id");
  const seconds = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  if (!id || !signatures || !seconds || !/^\d{1,12}$/.test(seconds)) return false;
  if (Math.abs(now - Number(seconds) * 1_000) > toleranceMs) return false;
  const expected = Buffer.from(`v1,${standardDigest(key, id, seconds, body)}`);
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Minimum bytes of a receiver's secret: with an empty one, as of a variable that is not set, anybody could sign. */
const minKeyBytes = 12;

function keyOf(secret: string): Buffer {
  const key = typeof secret === "string" ? decodeSecret(secret) : Buffer.alloc(0);
  if (key.length < minKeyBytes)
    throw new TypeError(`secret must be the webhook's signing secret, ${secretPrefix} and base64`);
  return key;
}

const decodeSecret = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, "base64");

const standardDigest = (key: Buffer, id: string, seconds: string, body: string | Uint8Array): string =>
  createHmac("sha256", key).update(`${id}.${seconds}.`).update(body).digest("base64");

function headerOf(headers: ReceivedWebhook["headers"], name: string): string | undefined {
  if (typeof headers.get === "function") return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof entry === "string" ? entry : entry?.[0];
}
