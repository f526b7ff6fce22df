import { createHmac, timingSafeEqual } from "node:crypto";
import { verifyWebhook } from "@posthorn/core";

/** Result of checking a signature, with the reason. */
export interface Judgement {
  valid: boolean;
  reason: string;
}

/**
 * Checks a delivery as a receiver should: by the Standard Webhooks headers, or by `X-Service-Signature` if only that is
 * given (service.md, Webhook deliveries).
 */
export function judgeSignature(received: {
  secret: string;
  headers: Record<string, string>;
  body: Buffer;
  now: number;
  /** Maximum difference of the timestamp, in ms. */
  toleranceMs: number;
}): Judgement {
  const { secret, headers, body, now, toleranceMs } = received;
  const plain = headers["x-service-signature"];
  if (headers["webhook-signature"] === undefined && plain !== undefined) {
    const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
    const given = Buffer.from(plain);
    const valid = given.length === expected.length && timingSafeEqual(given, expected);
    return {
      valid,
      reason: valid
        ? "X-Service-Signature matches"
        : "X-Service-Signature does not match: the secret is another, or the body is not the raw one",
    };
  }
  const missing = ["webhook-id", "webhook-timestamp", "webhook-signature"].filter((name) => !headers[name]);
  if (missing.length > 0) return { valid: false, reason: `missing: ${missing.join(", ")}` };
  if (verifyWebhook({ secret, headers, body, now, toleranceMs }))
    return { valid: true, reason: "webhook-signature matches" };
  if (verifyWebhook({ secret, headers, body, now, toleranceMs: Number.POSITIVE_INFINITY })) {
    const off = Math.round(Math.abs(now - Number(headers["webhook-timestamp"]) * 1000) / 1000);
    return {
      valid: false,
      reason: `the signature matches, but its time is ${off} s off: a replay, or a wrong clock`,
    };
  }
  return {
    valid: false,
    reason: "webhook-signature does not match: the secret is another, or the body is not the raw one",
  };
}
