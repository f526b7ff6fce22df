import { sign } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { bounced, deliver, happened, makeEndpoint, receive } from "../../test/relay-reports.ts";
import { snsCertificate } from "../../test/sns-certificate.ts";
import { openWorldForEach, reopenWorld, workspace, world } from "../../test/world-for-each.ts";
import { silentLogger } from "../ports/logger.ts";

openWorldForEach();

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
      Signature: sign(
        message["SignatureVersion"] === "1" ? "sha1" : "sha256",
        Buffer.from(signed),
        snsCertificate.key,
      ).toString("base64"),
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

  /** Accepts each message by this id, once `before` has ended. */
  const answerId = (id: string, before = async () => {}) =>
    world.mailer.answerWith(async ({ envelope }) => {
      await before();
      const accepted = { outcome: "accepted", code: 250, reply: `250 Ok ${id}` } as const;
      return { recipients: envelope.to.map((address) => ({ address, ...accepted })), inDoubt: false };
    });

  test("is verified by Amazon's certificate, and the e-mail found by its header", async () => {
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
    ]);
    const { items } = await world.posthorn.suppressions.list({}, workspace.asOwner);
    expect(items).toMatchObject([{ email: "ada@example.com", origin: "bounce" }]);
  });

  test("finds the e-mail by the id that SES gave it", async () => {
    answerCertificate();
    answerId("0100018f77aa-1234-000000");
    const id = await deliver();
    const { token } = await makeEndpoint("ses");
    const Message = bounceOf({ messageId: "0100018f77aa-1234-000000" });
    const body = sns({ Message, Subject: "Amazon SES", SignatureVersion: "1" });
    expect(await receive({ provider: "ses", token, body })).toEqual({ matched: 1 });
    expect(await happened()).toEqual([bounced(id)]);
  });

  test("finds the e-mail by SES's id where the bounce names another address, and believes none of somebody else", async () => {
    answerCertificate();
    answerId("0100018f77aa-1234-000000");
    const { token } = await makeEndpoint("ses");
    const report = (address: string, destination: string[]) => {
      const Message = bounceOf({ messageId: "0100018f77aa-1234-000000", destination }).replace(
        "ada@example.com",
        address,
      );
      return receive({ provider: "ses", token, body: sns({ Message }) });
    };
    const id = await deliver();
    expect(await report("box@forwarded.example", ["elsewhere@example.com"])).toEqual({ matched: 0 });
    expect(await report("box@forwarded.example", ["Ada <Ada@example.com>"])).toEqual({ matched: 1 });
    expect(await happened()).toEqual([bounced(id)]);
    expect((await world.posthorn.suppressions.list({}, workspace.asOwner)).items).toEqual([]);
    await deliver(["eve@b\u00fccher.example"]);
    expect(await report("Eve@b\u00fccher.example", [])).toEqual({ matched: 1 });
    const { items } = await world.posthorn.suppressions.list({}, workspace.asOwner);
    expect(items).toMatchObject([{ email: "eve@xn--bcher-kva.example", origin: "bounce" }]);
  });

  test("lets SES repeat a bounce by its id alone that comes before the reply is stored", async () => {
    answerCertificate();
    const { token } = await makeEndpoint("ses");
    const Message = bounceOf({ messageId: "0100018f77aa-1234-000000" });
    const report = () => receive({ provider: "ses", token, body: sns({ Message }) });
    const early: unknown[] = [];
    answerId("0100018f77aa-1234-000000", async () => {
      early.push(await report().catch(({ code }: { code: string }) => code));
    });
    const id = await deliver();
    expect(early).toEqual(["unavailable"]);
    expect(await happened()).toEqual([]);
    expect(await report()).toEqual({ matched: 1 });
    expect(await happened()).toEqual([bounced(id)]);
  });

  test("finds the e-mail by its return path, and by its Message-ID, where SES does not include the header", async () => {
    answerCertificate();
    const { token } = await makeEndpoint("ses");
    const ids = [await deliver(), await deliver()];
    const [{ headers } = { headers: [] }] = world.mailer.inbox.all();
    const ref = headers.find(({ name }) => name === "X-Service-Ref")?.value;
    for (const mail of [
      { source: `b-${ref}@bounces.example` },
      { commonHeaders: { messageId: `<${ids[1]}@posthorn.example>` } },
    ])
      expect(await receive({ provider: "ses", token, body: sns({ Message: bounceOf(mail) }) })).toEqual({
        matched: 1,
      });
    expect(await happened()).toEqual(ids.map((id) => bounced(id)));
  });

  test.each([
    ["eusc-de-east-1.amazonaws.eu", "aws-eusc"],
    ["cn-north-1.amazonaws.com.cn", "aws-cn"],
  ])("is verified by the certificate of %s", async (host, partition) => {
    answerCertificate();
    const region = host.slice(0, host.indexOf("."));
    const arn = `arn:${partition}:sns:${region}:123456789012:bounces`;
    const { token } = await makeEndpoint("ses", arn);
    const headers = [{ name: "X-Service-Email-Id", value: await deliver() }];
    const SigningCertURL = url.replace("eu-west-1.amazonaws.com", host);
    const body = sns({ Message: bounceOf({ messageId: "1", headers }), TopicArn: arn, SigningCertURL });
    expect(await receive({ provider: "ses", token, body })).toEqual({ matched: 1 });
  });

  test.each([
    [
      "another certificate URL",
      { SigningCertURL: "https://sns.evil.example/SimpleNotificationService-1.pem" },
    ],
    [
      "a certificate URL that only looks like Amazon's",
      { SigningCertURL: "https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-1.pem" },
    ],
    ["a certificate URL with a user", { SigningCertURL: url.replace("//", "//a@") }],
    ["a certificate URL with a password", { SigningCertURL: url.replace("//", "//:b@") }],
    ["a certificate URL with a port", { SigningCertURL: url.replace(".com", ".com:8443") }],
    ["a certificate URL of another file", { SigningCertURL: `${url}.txt` }],
    ["a message of another type", { Type: "UnsubscribeConfirmation" }],
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

  test("refuses changed messages, and an invalid certificate", async () => {
    answerCertificate();
    const { token } = await makeEndpoint("ses");
    const call = (body: unknown) => receive({ provider: "ses", token, body });
    await expect(call({ ...sns(), Message: "changed" })).rejects.toMatchObject({ code: "unauthenticated" });
    answerCertificate("no certificate");
    await expect(call(sns())).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(call("no JSON")).rejects.toMatchObject({ code: "unauthenticated" });
    answerCertificate();
    world.clock.advance(100 * 365 * 24 * 60 * 60_000);
    await expect(call(sns())).rejects.toMatchObject({ code: "unauthenticated" });
  });

  test("is verified while Amazon can't be reached, by the certificate that verified a message before", async () => {
    answerCertificate();
    const { token } = await makeEndpoint("ses");
    const headers = [{ name: "X-Service-Email-Id", value: await deliver() }];
    const call = () =>
      receive({ provider: "ses", token, body: sns({ Message: bounceOf({ messageId: "1", headers }) }) });
    expect(await Promise.all([call(), call(), call()])).toEqual(Array(3).fill({ matched: 1 }));
    expect(world.http.posts).toHaveLength(1);
    world.http.answerWith(() => ({ kind: "fault", fault: "connect", durationMs: 1 }));
    expect(await call()).toEqual({ matched: 1 });
    await expect(
      receive({ provider: "ses", token, body: { ...sns(), Message: "changed" } }),
    ).rejects.toMatchObject({ code: "unavailable" });
  });

  test.each([
    ["a fault", { kind: "fault", fault: "dns", durationMs: 1 }, "unavailable"],
    ["a 503", { kind: "response", status: 503, body: "", durationMs: 1 }, "unavailable"],
    ["a 404", { kind: "response", status: 404, body: "", durationMs: 1 }, "unauthenticated"],
  ] as const)(
    "on %s instead of the certificate answers so that SNS repeats what may be Amazon's",
    async (_, answer, code) => {
      world.http.answerWith(() => answer);
      const { token } = await makeEndpoint("ses");
      await expect(receive({ provider: "ses", token, body: sns() })).rejects.toMatchObject({ code });
    },
  );

  test("follows a complaint of one recipient, and not one that several may have made", async () => {
    answerCertificate();
    const { token } = await makeEndpoint("ses");
    const to = ["ada@example.com", "bob@example.com"];
    const headers = [{ name: "X-Service-Email-Id", value: await deliver(to) }];
    const complain = (by: string[]) => {
      const complainedRecipients = by.map((emailAddress) => ({ emailAddress }));
      const Message = JSON.stringify({
        notificationType: "Complaint",
        complaint: { complainedRecipients, complaintFeedbackType: "abuse" },
        mail: { messageId: "1", headers },
      });
      return receive({ provider: "ses", token, body: sns({ Message }) });
    };
    await complain(to);
    expect(await happened()).toEqual([]);
    await complain(to.slice(1));
    const { items } = await world.posthorn.suppressions.list({}, workspace.asOwner);
    expect(items).toMatchObject([{ email: "bob@example.com", origin: "complaint" }]);
  });

  test("confirms a subscription at Amazon, and nowhere else, and takes note of its end", async () => {
    answerCertificate();
    const { token } = await makeEndpoint("ses");
    const ask = (SubscribeURL: string, Type = "SubscriptionConfirmation") =>
      receive({
        provider: "ses",
        token,
        body: sns({ Type, Token: "t", SubscribeURL, Message: "You have …" }),
      });
    const confirm = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t";
    expect(await ask(confirm)).toEqual({ matched: 0 });
    await ask("https://169.254.169.254/latest/meta-data");
    // The URL of a notification is not signed, and that of an end would subscribe again.
    await receive({ provider: "ses", token, body: { ...sns(), SubscribeURL: confirm } });
    expect(await ask(confirm, "UnsubscribeConfirmation")).toEqual({ matched: 0 });
    expect(world.http.posts.map((post) => post.url)).toEqual([url, confirm]);
  });

  test("tells the operator of a subscription that Amazon does not confirm", async () => {
    const warn = vi.fn();
    await reopenWorld({ logger: { ...silentLogger, warn } });
    const { token } = await makeEndpoint("ses");
    const SubscribeURL = "https://sns.eu-west-1.amazonaws.com/?Token=old";
    world.http.answerWith(({ url: asked }) => {
      const status = asked === SubscribeURL ? 403 : 200;
      return { kind: "response", status, body: snsCertificate.cert, durationMs: 1 };
    });
    const body = sns({ Type: "SubscriptionConfirmation", Token: "old", SubscribeURL });
    expect(await receive({ provider: "ses", token, body })).toEqual({ matched: 0 });
    expect(warn).toHaveBeenCalledWith({ topic }, expect.stringContaining("confirm"));
  });
});
