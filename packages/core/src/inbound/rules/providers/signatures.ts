import { createHmac, createPublicKey, timingSafeEqual, verify, X509Certificate } from "node:crypto";
import { textAt, wholeTextAt } from "./read-at.ts";

/** A received request, before verification. */
export interface SignedCall {
  /** Header fields by lower-case name. */
  headers: Readonly<Record<string, string>>;
  bytes: Buffer;
  /** The secret of the endpoint. */
  secret: string;
  /** ms since the epoch. */
  now: number;
}

/** Maximum ms between a request's time and ours: providers retry for hours, and a repeated report counts once. */
const toleranceMs = 60 * 60 * 1_000;

const isRecent = (seconds: string, now: number): boolean =>
  /^\d{1,12}$/.test(seconds) && Math.abs(now - Number(seconds) * 1_000) <= toleranceMs;

function same(given: string | Buffer, expected: string | Buffer): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Whether a request is from Postmark, which does not sign: the user name and password in its webhook's URL are
 * verified.
 */
export function isFromPostmark({ headers, secret }: SignedCall): boolean {
  // The scheme's name may be in any case (RFC 9110 section 11.1).
  const given = (headers["authorization"] ?? "").replace(/^basic +/i, "Basic ");
  return same(given, `Basic ${Buffer.from(secret).toString("base64")}`);
}

/**
 * Whether a request is from SendGrid, which signs time and body by ECDSA; the secret is its public key, base64 of DER.
 */
export function isFromSendgrid({ headers, bytes, secret, now }: SignedCall): boolean {
  const time = headers["x-twilio-email-event-webhook-timestamp"] ?? "";
  const signature = headers["x-twilio-email-event-webhook-signature"] ?? "";
  if (!isRecent(time, now)) return false;
  try {
    const key = createPublicKey({ key: Buffer.from(secret, "base64"), format: "der", type: "spki" });
    return verify("sha256", Buffer.concat([Buffer.from(time), bytes]), key, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}

/**
 * Returns the token of a request from Mailgun, which signs a time and that token, but no content; `undefined` for any
 * other request. An event of a subaccount is signed with its parent's key, too.
 */
export function tokenOfMailgun({ secret, now }: SignedCall, body: unknown): string | undefined {
  const valid = ["signature", "parent-signature"].find((name) => {
    const said = (key: string): string => textAt(body, name, key);
    const expected = createHmac("sha256", secret)
      .update(said("timestamp") + said("token"))
      .digest("hex");
    return isRecent(said("timestamp"), now) && same(said("signature"), expected);
  });
  return valid === undefined ? undefined : textAt(body, valid, "token");
}

const confirmationKeys = ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];

/** Fields of a message that Amazon SNS signs, in their order. */
const snsKeys = new Map([
  ["Notification", ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]],
  ["SubscriptionConfirmation", confirmationKeys],
  ["UnsubscribeConfirmation", confirmationKeys],
]);

/** In the European Sovereign Cloud, and in China, Amazon has other domains. */
const snsHost = /^sns\.[a-z0-9-]{2,32}\.amazonaws\.(?:com(?:\.cn)?|eu)$/;

/** Whether a URL belongs to Amazon SNS; no other URL in such a message is ever fetched. */
export function isSnsUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    url.protocol === "https:" &&
    url.port === "" &&
    url.username === "" &&
    url.password === "" &&
    snsHost.test(url.hostname)
  );
}

/** Returns the URL of the signing certificate in an SNS message; `undefined` if it is not Amazon's. */
export function snsCertificateUrl(message: unknown): string | undefined {
  const url = textAt(message, "SigningCertURL");
  return isSnsUrl(url) && /\/SimpleNotificationService-[\w-]{1,64}\.pem$/.test(new URL(url).pathname)
    ? url
    : undefined;
}

/**
 * Whether Amazon SNS recently signed the message with this certificate. `topic`: the only accepted one, or `""` for
 * any.
 */
export function isFromSns(message: unknown, pem: string, topic: string, now: number): boolean {
  const keys = snsKeys.get(textAt(message, "Type"));
  if (keys === undefined) return false;
  if (topic !== "" && textAt(message, "TopicArn") !== topic) return false;
  if (!(Math.abs(now - Date.parse(textAt(message, "Timestamp"))) <= toleranceMs)) return false;
  const signed = keys
    .filter((key) => key !== "Subject" || wholeTextAt(message, key) !== "")
    .map((key) => `${key}\n${wholeTextAt(message, key)}\n`)
    .join("");
  const hash = textAt(message, "SignatureVersion") === "2" ? "sha256" : "sha1";
  try {
    const certificate = new X509Certificate(pem);
    if (now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo)) return false;
    const signature = Buffer.from(textAt(message, "Signature"), "base64");
    return verify(hash, Buffer.from(signed), certificate.publicKey, signature);
  } catch {
    return false;
  }
}
