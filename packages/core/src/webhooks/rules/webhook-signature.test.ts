import { createHmac } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { createWebhookSecret, signatureHeaders, verifyWebhook } from "./webhook-signature.ts";

const secret = createWebhookSecret();
const older = createWebhookSecret();
const now = Date.now();
const body = '{"event":"email.sent","email_id":"1"}';
const headers = signatureHeaders({ secrets: [secret, older], id: "d1", timestamp: now, body });

describe("signatureHeaders", () => {
  test("signs the raw body with the whole secret, as in service.md", () => {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(headers["X-Service-Signature"]).toBe(
      `sha256=${createHmac("sha256", secret).update(body, "utf8").digest("hex")}`,
    );
  });

  test("is verified by the Standard Webhooks library, with the new secret and the former one", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const signed = signatureHeaders({ secrets: [secret, older], id: "d2", timestamp: now, body: text });
        for (const key of [secret, older]) new Webhook(key).verify(text, signed, { jsonParse: false });
        expect(() => new Webhook(createWebhookSecret()).verify(text, signed, { jsonParse: false })).toThrow();
      }),
    );
  });

  test("requires a secret", () =>
    expect(() => signatureHeaders({ secrets: [], id: "d", timestamp: 0, body })).toThrow("secret"));
});

describe("verifyWebhook", () => {
  const received = { secret, headers, body, now, toleranceMs: 60_000 };

  test("accepts what was signed, by either secret, with headers in any case, as text or bytes", () => {
    expect(verifyWebhook(received)).toBe(true);
    expect(verifyWebhook({ ...received, secret: older })).toBe(true);
    expect(verifyWebhook({ ...received, body: Buffer.from(body) })).toBe(true);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    expect(verifyWebhook({ ...received, headers: upper })).toBe(true);
  });

  test("accepts what the Standard Webhooks library signed", () => {
    const signature = new Webhook(secret).sign("d3", new Date(now), body);
    const theirs = {
      "webhook-id": "d3",
      "webhook-timestamp": String(Math.floor(now / 1000)),
      "webhook-signature": signature,
    };
    expect(verifyWebhook({ ...received, headers: theirs })).toBe(true);
  });

  test("refuses deliveries that are changed, old, early, or lack a header", () => {
    expect(verifyWebhook({ ...received, body: `${body} ` })).toBe(false);
    expect(verifyWebhook({ ...received, secret: createWebhookSecret() })).toBe(false);
    expect(verifyWebhook({ ...received, now: now + 62_000 })).toBe(false);
    expect(verifyWebhook({ ...received, now: now - 62_000 })).toBe(false);
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
      expect(verifyWebhook({ ...received, headers: { ...headers, [name]: undefined } })).toBe(false);
      expect(verifyWebhook({ ...received, headers: { ...headers, [name]: "x" } })).toBe(false);
    }
    expect(
      verifyWebhook({ ...received, headers: { "X-Service-Signature": headers["X-Service-Signature"] } }),
    ).toBe(false);
  });

  test("takes the Headers of a Request, and the machine's clock by default", () => {
    const old = signatureHeaders({ secrets: [secret], id: "d4", timestamp: now - 600_000, body });
    expect(verifyWebhook({ secret, headers: new Headers(headers), body })).toBe(true);
    expect(verifyWebhook({ secret, headers: new Headers(old), body })).toBe(false);
    expect(verifyWebhook({ secret, headers: old, body, now: undefined })).toBe(false);
  });

  test("names a receiver's own mistake, which would let anybody sign, or nobody", () => {
    const unset = signatureHeaders({ secrets: [""], id: "d5", timestamp: now, body });
    for (const wrong of ["", "whsec_", "whsec_====", undefined as never])
      expect(() => verifyWebhook({ ...received, headers: unset, secret: wrong })).toThrow(
        new TypeError("secret must be the webhook's signing secret, whsec_ and base64"),
      );
    expect(() => verifyWebhook({ ...received, body: JSON.parse(body) })).toThrow(
      /^body must be the raw body/,
    );
    for (const headers of [undefined, null, "webhook-id", Object.entries(received.headers).flat()])
      expect(() => verifyWebhook({ ...received, headers: headers as unknown as Headers })).toThrow(
        new TypeError("headers must be the request's, by their names"),
      );
    expect(() => verifyWebhook({ ...received, now: Number.NaN })).toThrow(/^now must be ms/);
    expect(() => verifyWebhook(undefined as never)).toThrow("verifyWebhook takes { secret, headers, body }");
    expect(() => verifyWebhook({ ...received, toleranceMs: Number.NaN })).toThrow(/^toleranceMs must be/);
  });
});
