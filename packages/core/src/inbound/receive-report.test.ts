import { createHmac, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { expect, test } from "vitest";
import { bounced, deliver, happened, makeEndpoint, receive } from "../../test/relay-reports.ts";
import { openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import { createWebhookSecret, signatureHeaders } from "../webhooks/rules/webhook-signature.ts";

openWorldForEach();

const seconds = () => String(Math.floor(world.clock.now() / 1000));

test("SendGrid's events are verified by its key, and each recipient's are recorded", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = publicKey.export({ format: "der", type: "spki" }).toString("base64");
  const { token } = await makeEndpoint("sendgrid", key);
  const id = await deliver();
  const complained = await deliver(["bob@example.com"]);
  const body = JSON.stringify([
    {
      event: "bounce",
      email: "ada@example.com",
      "smtp-id": `<${id}@posthorn.example>`,
      reason: "550 5.1.1 no such user",
      status: "5.1.1",
    },
    {
      event: "dropped",
      email: "ada@example.com",
      "smtp-id": `<${id}@posthorn.example>`,
      reason: "Bounced Address",
    },
    { event: "spamreport", email: "bob@example.com", "smtp-id": `<${complained}@posthorn.example>` },
    // What no storage can hold costs none of the others.
    { event: "bounce", email: "eve@\0example.com", reason: "550 \ud83d", sg_message_id: "\0", "\0": 1 },
    { event: "delivered", email: "bob@example.com" },
    "nonsense",
  ]).replace('"nonsense"', '{"__proto__": {"event": "bounce"}}');
  const time = seconds();
  const headers = {
    "x-twilio-email-event-webhook-timestamp": time,
    "x-twilio-email-event-webhook-signature": sign("sha256", Buffer.from(time + body), privateKey).toString(
      "base64",
    ),
  };
  expect(await receive({ provider: "sendgrid", token, body, headers })).toEqual({ matched: 2 });
  expect(await happened()).toEqual([
    bounced(id),
    ["email.complained", complained, "bob@example.com", "abuse", "provider"],
  ]);
  await expect(receive({ provider: "sendgrid", token, body: `${body} `, headers })).rejects.toMatchObject({
    code: "unauthenticated",
  });
  world.clock.advance(59 * 60_000);
  expect(await receive({ provider: "sendgrid", token, body, headers })).toEqual({ matched: 2 });
  world.clock.advance(2 * 60_000);
  await expect(receive({ provider: "sendgrid", token, body, headers })).rejects.toMatchObject({
    code: "unauthenticated",
  });
});

test("all bounces of a call count, however many there are, with their events, and once if it is repeated", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = publicKey.export({ format: "der", type: "spki" }).toString("base64");
  const { token } = await makeEndpoint("sendgrid", key);
  const [first, last] = [await deliver(), await deliver()];
  const bounce = { event: "bounce", email: "ada@example.com", status: "5.1.1" };
  const events = Array.from({ length: 2_500 }, (_, index) => ({ ...bounce, sg_message_id: `${index}` }));
  const delivered = { event: "delivered", email: "bob@example.com" };
  const call = (between: readonly object[]) => {
    const body = JSON.stringify([{ ...bounce, email_id: first }, ...between, { ...bounce, email_id: last }]);
    const time = seconds();
    const headers = {
      "x-twilio-email-event-webhook-timestamp": time,
      "x-twilio-email-event-webhook-signature": sign("sha256", Buffer.from(time + body), privateKey).toString(
        "base64",
      ),
    };
    return receive({ provider: "sendgrid", token, body, headers });
  };
  const many = [...Array(2_500).fill(delivered), ...events];
  expect(await call(many)).toEqual({ matched: 2 });
  expect(await happened()).toEqual([bounced(first), bounced(last)]);
  expect(await call(many)).toEqual({ matched: 2 });
  // All of the last piece is known.
  expect(await call(events.slice(0, 499))).toEqual({ matched: 2 });
  expect(await happened()).toHaveLength(2);
});

test("Mailgun's event is verified by its signing key, for an hour", async () => {
  const secret = "0123456789abcdef0123456789abcdef";
  const { token } = await makeEndpoint("mailgun", secret);
  const id = await deliver();
  const made = { timestamp: seconds(), token: randomBytes(16).toString("hex") };
  const signature = createHmac("sha256", secret)
    .update(made.timestamp + made.token)
    .digest("hex");
  const body = {
    signature: { ...made, signature },
    "event-data": {
      event: "failed",
      severity: "permanent",
      recipient: "ada@example.com",
      "delivery-status": { code: 550, message: "5.1.1 The email account does not exist" },
      message: { headers: { "message-id": `${id}@posthorn.example` } },
    },
  };
  expect(await receive({ provider: "mailgun", token, body })).toEqual({ matched: 1 });
  expect(await happened()).toEqual([bounced(id)]);
  const others = { ...made, signature: signature.replace(/./g, "0") };
  const again = { token: randomBytes(16).toString("hex"), timestamp: made.timestamp };
  const parent = createHmac("sha256", secret)
    .update(again.timestamp + again.token)
    .digest("hex");
  const ofSubaccount = {
    ...body,
    signature: others,
    "parent-signature": { ...again, signature: parent },
  };
  expect(await receive({ provider: "mailgun", token, body: ofSubaccount })).toEqual({ matched: 1 });
  const forged = { ...body, signature: others, "parent-signature": others };
  await expect(receive({ provider: "mailgun", token, body: forged })).rejects.toMatchObject({
    code: "unauthenticated",
  });
  world.clock.advance(-2 * 60 * 60_000);
  await expect(receive({ provider: "mailgun", token, body })).rejects.toMatchObject({
    code: "unauthenticated",
  });
  world.clock.advance(4 * 60 * 60_000);
  await expect(receive({ provider: "mailgun", token, body })).rejects.toMatchObject({
    code: "unauthenticated",
  });
});

test("Mailgun's signature serves for one content: a captured one reports nothing else", async () => {
  const secret = "0123456789abcdef0123456789abcdef";
  const { token } = await makeEndpoint("mailgun", secret);
  const other = await makeEndpoint("mailgun", secret);
  const made = { timestamp: seconds(), token: randomBytes(25).toString("hex") };
  const signature = createHmac("sha256", secret)
    .update(made.timestamp + made.token)
    .digest("hex");
  const about = (id: string, event = "failed") => ({
    signature: { ...made, signature },
    "event-data": {
      event,
      recipient: "ada@example.com",
      "delivery-status": { code: 550, message: "5.1.1 The email account does not exist" },
      message: { headers: { "message-id": `${id}@posthorn.example` } },
    },
  });
  const [first, second] = [await deliver(), await deliver()];
  const call = (body: object, at = token) => receive({ provider: "mailgun", token: at, body });
  // One that reports nothing is captured as easily.
  const silent = await makeEndpoint("mailgun", secret);
  for (const _ of [1, 2]) expect(await call(about(first, "delivered"), silent.token)).toEqual({ matched: 0 });
  await expect(call(about(first), silent.token)).rejects.toMatchObject({ code: "unauthenticated" });
  expect(await call(about(first))).toEqual({ matched: 1 });
  for (const forged of [about(second), about(first, "complained")])
    await expect(call(forged)).rejects.toMatchObject({ code: "unauthenticated" });
  expect(await happened()).toEqual([bounced(first)]);
  // A repeated call, and the same event at another endpoint.
  expect(await call(about(first))).toEqual({ matched: 1 });
  expect(await call(about(first), other.token)).toEqual({ matched: 1 });
});

test("Postmark's is verified by the user and password of its URL", async () => {
  const { token } = await makeEndpoint("postmark", "posthorn:a-long-password");
  const id = await deliver();
  const body = {
    RecordType: "Bounce",
    Type: "HardBounce",
    Email: "ada@example.com",
    MessageID: "pm-1",
    Metadata: { email_id: id },
    Details: "smtp;550 5.1.1 The email account that you tried to reach does not exist",
  };
  const login = Buffer.from("posthorn:a-long-password").toString("base64");
  // The scheme's name may be in any case.
  for (const authorization of [`Basic ${login}`, `basic  ${login}`])
    expect(await receive({ provider: "postmark", token, body, headers: { authorization } })).toEqual({
      matched: 1,
    });
  expect(await happened()).toEqual([bounced(id)]);
  await expect(receive({ provider: "postmark", token, body })).rejects.toMatchObject({
    code: "unauthenticated",
  });
});

test("Resend's is verified by its secret, under its own header names, and its recipient found by the field To", async () => {
  const secret = createWebhookSecret();
  const { token } = await makeEndpoint("resend", secret);
  const id = await deliver();
  const body = JSON.stringify({
    type: "email.bounced",
    data: {
      email_id: "resend-1",
      to: ['"Lovelace, Ada" <ada@example.com>'],
      headers: [{ name: "X-Service-Email-Id", value: id }],
      bounce: { type: "Permanent", message: "550 5.1.1 no such user" },
    },
  });
  const signed = signatureHeaders({ secrets: [secret], id: "msg_1", timestamp: world.clock.now(), body });
  const headers = Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [name.replace("webhook-", "svix-"), value]),
  );
  expect(await receive({ provider: "resend", token, body, headers })).toEqual({ matched: 1 });
  expect(await happened()).toEqual([bounced(id)]);
  const { items } = await world.posthorn.suppressions.list({}, workspace.asOwner);
  expect(items).toMatchObject([{ email: "ada@example.com" }]);
});

test("Resend's counts only for an e-mail to one, because it names all recipients whomever it means", async () => {
  const secret = createWebhookSecret();
  const { token } = await makeEndpoint("resend", secret);
  const to = ["ada@example.com", "bob@example.com"];
  const headers = [{ name: "X-Service-Email-Id", value: await deliver(to) }];
  for (const type of ["email.bounced", "email.complained"]) {
    const bounce = { type: "Permanent", message: "550 5.1.1 no such user" };
    const body = JSON.stringify({ type, data: { to, headers, bounce } });
    const signed = signatureHeaders({ secrets: [secret], id: type, timestamp: world.clock.now(), body });
    expect(await receive({ provider: "resend", token, body, headers: signed })).toEqual({ matched: 1 });
  }
  expect(await happened()).toEqual([]);
  expect((await world.posthorn.suppressions.list({}, workspace.asOwner)).items).toEqual([]);
});

test("an endpoint belongs to one provider and one workspace, and stops working once removed", async () => {
  const other = await world.addWorkspace();
  const { id, token, url, secret } = await makeEndpoint("generic");
  expect(url).toMatch(/\/api\/v1\/inbound\/generic\/[\w-]{43}$/);
  expect(secret).toMatch(/^whsec_/);
  const { inboundEndpoints } = world.posthorn;
  expect((await inboundEndpoints.list({}, workspace.asOwner)).items).toEqual([
    { id, provider: "generic", createdAt: world.clock.now() },
  ]);
  expect((await inboundEndpoints.list({}, other.asOwner)).items).toEqual([]);
  const events = [{ kind: "bounce", recipient: "ada@example.com", email_id: await deliver() }];
  const body = JSON.stringify({ events });
  const headers = signatureHeaders({
    secrets: [secret ?? ""],
    id: "1",
    timestamp: world.clock.now(),
    body,
  });
  await expect(receive({ provider: "resend", token, body, headers })).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(inboundEndpoints.delete({ endpointId: id }, other.asOwner)).rejects.toMatchObject({
    code: "not_found",
  });
  await inboundEndpoints.delete({ endpointId: id }, workspace.asOwner);
  await expect(receive({ provider: "generic", token, body, headers })).rejects.toMatchObject({
    code: "not_found",
  });
  const audited = await world.posthorn.auditLog.listForWorkspace({}, workspace.asOwner);
  expect(audited.items.slice(0, 2).map(({ type }) => type)).toEqual([
    "inbound_endpoint.deleted",
    "inbound_endpoint.created",
  ]);
});

test.each([
  ["sendgrid", undefined],
  ["sendgrid", "short"],
  ["postmark", "no-colon-here-at-all"],
  ["mailgun", "x"],
  ["resend", "secret"],
  ["ses", "no arn"],
] as const)(
  "an endpoint for %s requires the credentials to verify its calls: %s",
  async (provider, secret) => {
    await expect(makeEndpoint(provider, secret)).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ path: "secret" }],
    });
  },
);

test("a password that is too short for a postmark endpoint is refused with the length it needs", async () => {
  await expect(makeEndpoint("postmark", "posthorn:short")).rejects.toMatchObject({
    details: [{ path: "secret", message: expect.stringContaining("12 characters") }],
  });
});

test("at most twenty endpoints are allowed, also when many are created at once", async () => {
  const made = await Promise.allSettled(Array.from({ length: 25 }, () => makeEndpoint("ses")));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
  const as = workspace.as(await workspace.addMember("editor"));
  await expect(world.posthorn.inboundEndpoints.list({}, as)).rejects.toMatchObject({ code: "forbidden" });
});
