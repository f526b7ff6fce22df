import { createHmac, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import type { InboundProvider } from "../ports/storage/inbound-endpoints.ts";
import { createWorld, type TestWorkspace, type World } from "../testing/index.ts";
import { createWebhookSecret, signatureHeaders } from "../webhooks/rules/webhook-signature.ts";

/** A certificate and its key in place of Amazon's, for tests only. Both are public and protect nothing. Valid for a hundred years. */
const snsCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBazCCARCgAwIBAgIBATAKBggqhkjOPQQDAjATMREwDwYDVQQDDAhzbnMudGVz
dDAgFw0yNjExMjEyMDQ5MTRaGA8yMTI2MTAyODIwNDkxNFowEzERMA8GA1UEAwwI
c25zLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATPcop0rdjVpe8B9wWQ
EUHnTjuSmw5hag+zuDxWUFP3ZI6IQGA56KgxZEZ2lZBeAU5XZy/AjmqVwVWUCNPX
MYjKo1MwUTAdBgNVHQ4EFgQUlBuGdjI6/VvW3ojFlKyVSzGZinIwHwYDVR0jBBgw
FoAUlBuGdjI6/VvW3ojFlKyVSzGZinIwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjO
PQQDAgNJADBGAiEAnrYTkBvX9zXPaYU7LVIymNJ8aDlL/hX72c6qXuFhLskCIQD7
0k8PZvOZsCuorQQvJIMOlvl+6f6ukRb7vmI+YubwtQ==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4D7GXoV/5mnVlmxi
4wEOZEfg3ZthbrlKcktEEOsZPCuhRANCAATPcop0rdjVpe8B9wWQEUHnTjuSmw5h
ag+zuDxWUFP3ZI6IQGA56KgxZEZ2lZBeAU5XZy/AjmqVwVWUCNPXMYjK
-----END PRIVATE KEY-----`,
};

let world: World;
let workspace: TestWorkspace;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite());
  workspace = await world.addWorkspace();
});
afterEach(() => world.close());

async function deliver(to = ["ada@example.com"]): Promise<string> {
  const { id } = await world.posthorn.emails.send(
    { subject: "Hi", text: "Hello", to },
    { workspaceId: workspace.id },
  );
  await world.posthorn.drain();
  return id;
}

async function makeEndpoint(provider: InboundProvider, secret?: string) {
  const made = await world.posthorn.inboundEndpoints.create(
    { provider, ...(secret === undefined ? {} : { secret }) },
    workspace.asOwner,
  );
  return { ...made, token: made.url.split("/").at(-1) ?? "" };
}

interface Call {
  provider: InboundProvider;
  token: string;
  body: unknown;
  headers?: Record<string, string>;
}

const receive = ({ body, headers = {}, ...rest }: Call) =>
  world.posthorn.inbound.receive(
    {
      ...rest,
      headers,
      body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)).toString("latin1"),
    },
    { as: { kind: "anonymous" } },
  );

/** Types of what happened since the e-mails were sent, with what is said of it. */
async function happened(): Promise<unknown[]> {
  const events = await world.storage.events.listAfter(0, { workspaceId: "all", category: "email" }, 500);
  return events
    .filter(({ type }) => !["email.queued", "email.sent"].includes(type))
    .map(({ type, metadata }) => {
      const { email_id: id, recipient, category, source } = JSON.parse(metadata);
      return [type, id, recipient, category, source].filter((one) => one !== undefined);
    });
}

const seconds = () => String(Math.floor(world.clock.now() / 1000));
const bounced = (id: string, category = "invalid_recipient") => [
  "email.bounced",
  id,
  "ada@example.com",
  category,
  "provider",
];

describe("Amazon SES, by SNS", () => {
  const url = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123abcd.pem";
  const topic = "arn:aws:sns:eu-west-1:123456789012:bounces";
  const sns = (fields: Record<string, string> = {}) => {
    const message: Record<string, string> = {
      Type: "Notification",
      MessageId: "1",
      TopicArn: topic,
      Timestamp: new Date(world.clock.now()).toISOString(),
      SignatureVersion: "2",
      SigningCertURL: url,
      Message: "{}",
      ...fields,
    };
    const signed = [
      "Message",
      "MessageId",
      "Subject",
      "SubscribeURL",
      "Timestamp",
      "Token",
      "TopicArn",
      "Type",
    ]
      .filter((key) => message[key] !== undefined)
      .map((key) => `${key}\n${message[key]}\n`)
      .join("");
    return {
      ...message,
      Signature: sign("sha256", Buffer.from(signed), snsCertificate.key).toString("base64"),
    };
  };
  const bounceOf = (mail: object) =>
    JSON.stringify({
      notificationType: "Bounce",
      bounce: {
        bounceType: "Permanent",
        bouncedRecipients: [
          {
            emailAddress: "ada@example.com",
            status: "5.1.1",
            diagnosticCode: "smtp; 550 5.1.1 user unknown",
          },
        ],
      },
      mail,
    });
  const answerCertificate = (body = snsCertificate.cert) =>
    world.http.answerWith(() => ({ kind: "response", status: 200, body, durationMs: 1 }));

  test("is believed where the certificate of Amazon's fits, and the mail found by its header", async () => {
    answerCertificate();
    const id = await deliver();
    const { token } = await makeEndpoint("ses", topic);
    const headers = [{ name: "X-Service-Email-Id", value: id }];
    const body = sns({ Message: bounceOf({ messageId: "0100018f-aa", headers }) });
    expect(await receive({ provider: "ses", token, body })).toEqual({ matched: 1 });
    await receive({ provider: "ses", token, body });
    expect(await happened()).toEqual([bounced(id)]);
    expect(world.http.posts.map((post) => [post.method, post.url, post.allowPrivate])).toEqual([
      ["GET", url, false],
      ["GET", url, false],
    ]);
    const { items } = await world.posthorn.suppressions.list({}, workspace.asOwner);
    expect(items).toMatchObject([{ email: "ada@example.com", origin: "bounce" }]);
  });

  test("finds the mail by the id that SES gave it in place of ours", async () => {
    answerCertificate();
    world.mailer.answerWith((message) => ({
      recipients: message.envelope.to.map((address) => ({
        address,
        outcome: "accepted",
        code: 250,
        reply: "250 Ok 0100018f77aa-1234-000000",
      })),
      inDoubt: false,
    }));
    const id = await deliver();
    const { token } = await makeEndpoint("ses");
    const body = sns({ Message: bounceOf({ messageId: "0100018f77aa-1234-000000" }) });
    expect(await receive({ provider: "ses", token, body })).toEqual({ matched: 1 });
    expect(await happened()).toEqual([bounced(id)]);
  });

  test.each([
    [
      "another certificate's place",
      { SigningCertURL: "https://sns.evil.example/SimpleNotificationService-1.pem" },
    ],
    [
      "a place that only looks so",
      { SigningCertURL: "https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-1.pem" },
    ],
    ["plain HTTP", { SigningCertURL: url.replace("https", "http") }],
    ["another topic", { TopicArn: "arn:aws:sns:eu-west-1:999999999999:bounces" }],
    ["a day ago", { Timestamp: "2029-12-31T00:00:00.000Z" }],
  ])("refuses %s", async (_, fields) => {
    answerCertificate();
    const { token } = await makeEndpoint("ses", topic);
    await expect(receive({ provider: "ses", token, body: sns(fields) })).rejects.toMatchObject({
      code: "unauthenticated",
    });
  });

  test("refuses what was changed, and a certificate that is none", async () => {
    answerCertificate();
    const { token } = await makeEndpoint("ses");
    const call = (body: unknown) => receive({ provider: "ses", token, body });
    await expect(call({ ...sns(), Message: "changed" })).rejects.toMatchObject({ code: "unauthenticated" });
    answerCertificate("no certificate");
    await expect(call(sns())).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(call("no JSON")).rejects.toMatchObject({ code: "unauthenticated" });
  });

  test("a subscription is confirmed at Amazon, and nowhere else", async () => {
    answerCertificate();
    const { token } = await makeEndpoint("ses");
    const ask = (SubscribeURL: string) =>
      receive({
        provider: "ses",
        token,
        body: sns({ Type: "SubscriptionConfirmation", Token: "t", SubscribeURL }),
      });
    const confirm = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t";
    expect(await ask(confirm)).toEqual({ matched: 0 });
    await ask("https://169.254.169.254/latest/meta-data");
    expect(world.http.posts.map((post) => post.url)).toEqual([url, confirm, url]);
  });
});

test("SendGrid's events are believed by its key, and each recipient's are told", async () => {
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
    { event: "delivered", email: "bob@example.com" },
    "nonsense",
  ]);
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
});

test("Mailgun's event is believed by its signing key, for an hour", async () => {
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
  const forged = { ...body, signature: { ...made, signature: signature.replace(/./g, "0") } };
  await expect(receive({ provider: "mailgun", token, body: forged })).rejects.toMatchObject({
    code: "unauthenticated",
  });
  world.clock.advance(2 * 60 * 60_000);
  await expect(receive({ provider: "mailgun", token, body })).rejects.toMatchObject({
    code: "unauthenticated",
  });
});

test("Postmark's is believed by the user and password of its URL", async () => {
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
  const authorization = `Basic ${Buffer.from("posthorn:a-long-password").toString("base64")}`;
  expect(await receive({ provider: "postmark", token, body, headers: { authorization } })).toEqual({
    matched: 1,
  });
  expect(await happened()).toEqual([bounced(id)]);
  await expect(receive({ provider: "postmark", token, body })).rejects.toMatchObject({
    code: "unauthenticated",
  });
});

test("Resend's is believed by its secret, in the headers that it names otherwise", async () => {
  const secret = createWebhookSecret();
  const { token } = await makeEndpoint("resend", secret);
  const id = await deliver();
  const body = JSON.stringify({
    type: "email.bounced",
    data: {
      email_id: "resend-1",
      to: ["ada@example.com"],
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
});

describe("our own form", () => {
  const call = async (body: string, more: Record<string, string> = {}) => {
    const { token, secret = "" } = await makeEndpoint("generic");
    const signed = signatureHeaders({ secrets: [secret], id: "1", timestamp: world.clock.now(), body });
    return receive({ provider: "generic", token, body, headers: { ...signed, ...more } });
  };

  test("takes events", async () => {
    const id = await deliver();
    const events = [
      { kind: "bounce", recipient: "ada@example.com", email_id: id, status: "5.7.1", reply: "550 5.7.1 no" },
      { kind: "nonsense", recipient: "ada@example.com", email_id: id },
    ];
    expect(await call(JSON.stringify({ events }))).toEqual({ matched: 1 });
    expect(await happened()).toEqual([bounced(id, "policy")]);
  });

  test("takes messages, as they came", async () => {
    const id = await deliver();
    const message = [
      "Content-Type: multipart/report; boundary=b",
      "",
      "--b",
      "Content-Type: message/delivery-status",
      "",
      `Original-Envelope-Id: ${id}`,
      "",
      "Final-Recipient: rfc822; ada@example.com",
      "Action: failed",
      "Status: 5.2.1",
      "--b--",
    ].join("\r\n");
    expect(await call(message, { "content-type": "message/rfc822" })).toEqual({ matched: 1 });
    expect(await happened()).toMatchObject([
      ["email.bounced", id, "ada@example.com", "inactive_mailbox", "dsn"],
    ]);
  });

  test("does nothing for what is no JSON, and refuses it unsigned", async () => {
    expect(await call("no JSON")).toEqual({ matched: 0 });
    const { token } = await makeEndpoint("generic");
    await expect(receive({ provider: "generic", token, body: "{}" })).rejects.toMatchObject({
      code: "unauthenticated",
    });
  });
});

test("an endpoint is of one provider and one workspace, and gone once it is removed", async () => {
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
] as const)("an endpoint for %s needs what its calls are checked with: %s", async (provider, secret) => {
  await expect(makeEndpoint(provider, secret)).rejects.toMatchObject({
    code: "validation_failed",
    details: [{ path: "secret" }],
  });
});

test("twenty endpoints are enough, also where many are made at once", async () => {
  const made = await Promise.allSettled(Array.from({ length: 25 }, () => makeEndpoint("ses")));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
  const as = workspace.as(await workspace.addMember("editor"));
  await expect(world.posthorn.inboundEndpoints.list({}, as)).rejects.toMatchObject({ code: "forbidden" });
});
