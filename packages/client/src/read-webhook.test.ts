import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { type ReceivedWebhook, readWebhook } from "./read-webhook.ts";

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const now = Date.UTC(2030, 0, 1);
const event = { event: "email.sent", email_id: "01a1fce3-5f3f-742a-9b7d-72ed4ffb21ce", timestamp: "…" };
const body = JSON.stringify(event);
const signature = new Webhook(secret).sign("msg_1", new Date(now), body);
const headers = {
  "webhook-id": "msg_1",
  "webhook-timestamp": String(now / 1_000),
  "webhook-signature": signature,
};
const read = (more: Partial<ReceivedWebhook> = {}) => readWebhook({ secret, headers, body, now, ...more });

test.each<[string, Partial<ReceivedWebhook>]>([
  ["text", {}],
  ["bytes", { body: new TextEncoder().encode(body) }],
  ["a Buffer, as node:http gives it", { body: Buffer.from(body) }],
  ["the headers of a Request", { headers: new Headers(headers) }],
  [
    "headers in capitals, in lists",
    {
      headers: {
        "Webhook-Id": ["msg_1"],
        "WEBHOOK-TIMESTAMP": headers["webhook-timestamp"],
        "Webhook-Signature": [signature],
      },
    },
  ],
  [
    "two signatures, as after a rotation",
    { headers: { ...headers, "webhook-signature": `v1,AAAA ${signature}` } },
  ],
  ["a secret without its prefix", { secret: secret.slice(6) }],
  ["five minutes later", { now: now + 300_000 }],
])("%s: the event is read", async (_, more) => {
  expect(await read(more)).toEqual(event);
});

test.each<[string, Partial<ReceivedWebhook>]>([
  ["another body", { body: body.replace("sent", "lost") }],
  ["another id", { headers: { ...headers, "webhook-id": "msg_2" } }],
  ["another time", { headers: { ...headers, "webhook-timestamp": String(now / 1_000 + 1) } }],
  ["another secret", { secret: `whsec_${randomBytes(32).toString("base64")}` }],
  ["six minutes later", { now: now + 360_000 }],
  ["six minutes early", { now: now - 360_000 }],
  ["a signature cut short", { headers: { ...headers, "webhook-signature": signature.slice(0, -1) } }],
  ["a signature with more behind it", { headers: { ...headers, "webhook-signature": `${signature}=` } }],
  ["another version", { headers: { ...headers, "webhook-signature": signature.replace("v1,", "v2,") } }],
  ["no signature", { headers: { ...headers, "webhook-signature": undefined } }],
  ["no headers", { headers: {} }],
])("%s: nothing is read", async (_, more) => {
  expect(await read(more)).toBeUndefined();
});

test.each<[string, Partial<Record<keyof ReceivedWebhook, unknown>>]>([
  ["secret", { secret: undefined }],
  ["secret", { secret: "" }],
  ["secret", { secret: "whsec_" }],
  ["secret", { secret: "whsec_not base64!" }],
  ["body", { body: event }],
  ["headers", { headers: undefined }],
  ["headers", { headers: Object.entries(headers).flat() }],
  ["now", { now: Number.NaN }],
  ["now", { now: "2030-01-01" }],
  ["toleranceMs", { toleranceMs: Number.NaN }],
  ["toleranceMs", { toleranceMs: "300000" }],
])("a mistake of the receiver about the %s is a TypeError", async (name, more) => {
  await expect(read(more as Partial<ReceivedWebhook>)).rejects.toThrow(new RegExp(`^${name} must be`));
});

test("says what it takes instead of nothing", async () => {
  await expect(readWebhook(undefined as never)).rejects.toThrow(
    "readWebhook takes { secret, headers, body }",
  );
});
