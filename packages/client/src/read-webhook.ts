import type { WebhookEvent } from "./contract/schemas.ts";

/** A webhook's delivery as its receiver gets it. */
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
 * Returns the event of a delivery that the service sent, unaltered and recent; `undefined` for any other request.
 * Checks the headers of Standard Webhooks. A delivery may come more than once, always with the same `webhook-id`.
 * Rejects with a `TypeError` for a mistake of the receiver: a secret that is missing or too short, headers
 * that are missing, a parsed body, or a time that is no number.
 */
export async function readWebhook(received: ReceivedWebhook): Promise<WebhookEvent | undefined> {
  if (Object(received) !== received) throw new TypeError("readWebhook takes { secret, headers, body }");
  const { headers, body, now = Date.now(), toleranceMs = 300_000 } = received;
  const key = keyOf(received.secret);
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
  if (!id || !signatures || !seconds || !/^\d{1,12}$/.test(seconds)) return undefined;
  if (Math.abs(now - Number(seconds) * 1_000) > toleranceMs) return undefined;
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const expected = `v1,${await digestOf(key, `${id}.${seconds}.`, bytes)}`;
  if (!signatures.split(" ").some((signature) => isSame(signature, expected))) return undefined;
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}

/** Minimum bytes of a secret: with an empty one, as of a variable that is not set, anybody could sign. */
const minKeyBytes = 12;

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = typeof secret === "string" ? fromBase64(secret.replace(/^whsec_/, "")) : undefined;
  if (key === undefined || key.length < minKeyBytes)
    throw new TypeError("secret must be the webhook's signing secret, whsec_ and base64");
  return key;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** HMAC-SHA256 of a text and bytes, in base64. */
async function digestOf(key: Uint8Array<ArrayBuffer>, text: string, bytes: Uint8Array): Promise<string> {
  const lead = new TextEncoder().encode(text);
  const signed = new Uint8Array(lead.length + bytes.length);
  signed.set(lead);
  signed.set(bytes, lead.length);
  const hmac = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", hmac, signed));
  return btoa(String.fromCharCode(...digest));
}

/** Compares two texts in a time that depends on their lengths alone. */
function isSame(given: string, expected: string): boolean {
  let differences = given.length ^ expected.length;
  for (let at = 0; at < expected.length; at++)
    differences |= (given.charCodeAt(at) || 0) ^ expected.charCodeAt(at);
  return differences === 0;
}

function headerOf(headers: ReceivedWebhook["headers"], name: string): string | undefined {
  if (typeof headers.get === "function") return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof entry === "string" ? entry : entry?.[0];
}
