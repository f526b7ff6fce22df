import { describe, expect, test } from "vitest";
import { about, complaint, deliver, feed, notification, tokens } from "../../test/returned-mail.ts";
import { day, eventsOf, openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import { answerAll } from "../testing/index.ts";

openWorldForEach();

describe("suppression", () => {
  const suppressed = async () =>
    (await world.posthorn.suppressions.list({}, workspace.asOwner)).items.map(
      ({ email, origin, expiresAt }) => [email, origin, expiresAt] as const,
    );
  const bounceBy = async (reply: string) =>
    (await feed(about((await deliver()).token, [{ reply }]))).effects[0]?.effect;

  test("follows a permanent bounce at once, with its event and webhook", async () => {
    await world.posthorn.webhooks.create(
      { url: "https://hooks.example.com/", events: ["suppression.created"] },
      workspace.asOwner,
    );
    const { id, token } = await deliver(["Ada@example.com"]);
    expect((await feed(about(token))).effects).toMatchObject([{ effect: "suppressed" }]);
    expect(await suppressed()).toEqual([["Ada@example.com", "bounce", undefined]]);
    expect(
      await world.posthorn.suppressions.get({ email: "ada@example.com" }, workspace.asOwner),
    ).toMatchObject({ reason: "550 5.1.1 User unknown", emailId: id });
    await world.posthorn.drain();
    expect(world.http.posts).toHaveLength(1);
    await expect(deliver()).rejects.toMatchObject({ code: "all_recipients_suppressed" });
  });

  test("keeps the beginning of a long reply, cut between two characters", async () => {
    const begin = `550 5.1.1 ${"x".repeat(489)}`;
    world.mailer.answerWith(answerAll("refused", 550, `${begin}📪 no such user`));
    await deliver(["a@example.com"]);
    const found = await world.posthorn.suppressions.get({ email: "a@example.com" }, workspace.asOwner);
    expect(found.reason).toBe(begin);
  });

  describe("of an alias", () => {
    /** What a notification of this recipient's fields does to `team@example.com`, the only recipient. */
    const effectOf = async (...fields: string[]) => {
      const { token } = await deliver(["team@example.com"]);
      const group = [...fields, "Action: failed", "Status: 5.1.1"];
      const effects = (await feed(lines(token, group))).effects;
      return effects.map(({ recipient, category, effect }) => `${recipient} ${category} ${effect}`);
    };
    const lines = (token: string, group: string[]): string =>
      [
        "Content-Type: multipart/report; boundary=b",
        "",
        "--b",
        "Content-Type: message/delivery-status",
        "",
        ...["Reporting-MTA: dns; mx.example", "", ...group],
        "--b",
        "Content-Type: text/rfc822-headers",
        "",
        `X-Service-Ref: ${token}`,
        "--b--",
      ].join("\r\n");

    test.each([
      [
        "Postfix's",
        "Original-Recipient: rfc822;team@example.com",
        "Final-Recipient: rfc822; ada@example.com",
      ],
      ["Exim's", "Final-Recipient: rfc822;ada@private.example"],
      [
        "Sendmail's",
        "Final-Recipient: RFC822; team@example.com",
        "X-Actual-Recipient: RFC822; ada@example.com",
      ],
    ])("does not follow a bounce of one of its members: %s", async (_, ...fields) => {
      expect(await effectOf(...fields)).toEqual(["team@example.com invalid_recipient noted"]);
      expect(await suppressed()).toEqual([]);
    });

    test.each([
      ["Final-Recipient: rfc822; Team@mail.example.com"],
      ["Original-Recipient: rfc822;team@example.com", "Final-Recipient: rfc822; team+news@example.com"],
      ["Final-Recipient: x400; /c=se"],
    ])("follows a bounce of the mailbox itself: %s", async (...fields) => {
      expect(await effectOf(...fields)).toEqual(["team@example.com invalid_recipient suppressed"]);
    });
  });

  test("finds the one of several recipients by the position in the token, or else by the address", async () => {
    const { id } = await deliver(["ada@example.com", "bob@example.com"]);
    const row = (await world.storage.reports.findEmail({ id }))?.row ?? 0;
    const report = async (position: number, to: string) =>
      (await feed(about(tokens.make({ row, position }), [{ to }]))).effects;
    expect(await report(1, "bob@mail.example.com")).toMatchObject([
      { recipient: "bob@example.com", effect: "suppressed" },
    ]);
    expect(await report(9, "ada@example.com")).toMatchObject([
      { recipient: "ada@example.com", effect: "suppressed" },
    ]);
  });

  test("follows our own attempts by the same rules", async () => {
    world.mailer.answerWith(answerAll("refused", 550, "550 5.1.1 No such user"));
    await deliver(["a@example.com"]);
    world.mailer.answerWith(answerAll("refused", 550, "550 5.1.2 Domain shop.example not found"));
    await deliver(["bob@example.com"]);
    world.mailer.answerWith(answerAll("refused", 550, "550 5.7.1 Relay access denied"));
    await deliver(["b@example.com"]);
    expect(await suppressed()).toEqual([["a@example.com", "bounce", undefined]]);
  });

  test("does not follow a refusal of the content for several recipients: it does not say whose mailbox is missing", async () => {
    const refuse = (atRecipient: boolean): void =>
      world.mailer.answerWith(({ envelope }) => ({
        recipients: envelope.to.map((address) => ({
          address,
          outcome: "refused",
          code: 550,
          reply: "550 5.1.1 User unknown",
          atRecipient,
        })),
        inDoubt: false,
      }));
    refuse(false);
    await deliver(["a@example.com", "b@example.com"]);
    expect(await suppressed()).toEqual([]);
    await deliver(["c@example.com"]);
    refuse(true);
    await deliver(["d@example.com", "e@example.com"]);
    expect((await suppressed()).map(([email]) => email).sort()).toEqual(
      ["c", "d", "e"].map((name) => `${name}@example.com`),
    );
  });

  test("follows a complaint", async () => {
    const { token } = await deliver();
    expect((await feed(complaint(token))).effects).toMatchObject([{ effect: "suppressed" }]);
    expect(await suppressed()).toEqual([["ada@example.com", "complaint", undefined]]);
  });

  test("tells of an entry that it takes the place of, with what it was", async () => {
    const { posthorn, clock } = world;
    const [{ token }, { token: full }] = [await deliver(), await deliver(["bob@example.com"])];
    const soon = new Date(clock.now() + day).toISOString();
    await posthorn.suppressions.create({ email: "ada@example.com" }, workspace.asOwner);
    await posthorn.suppressions.create({ email: "bob@example.com", expiresAt: soon }, workspace.asOwner);
    for (let times = 0; times < 2; times++) await feed(complaint(token));
    await feed(about(full, [{ to: "bob@example.com" }]));
    const scope = "*";
    const bounced = { origin: { from: "manual", to: "bounce" }, expires_at: { from: soon, to: null } };
    expect(await eventsOf("suppression.updated")).toEqual([
      { email: "bob@example.com", scope, changes: bounced },
      { email: "ada@example.com", scope, changes: { origin: { from: "manual", to: "complaint" } } },
    ]);
  });

  test("does not follow a complaint that names none of several recipients", async () => {
    const { id, token } = await deliver(["a@example.com", "b@example.com"]);
    const unnamed = complaint(token).replace(
      "\r\nX-Service-Ref",
      "\r\nTo: a@example.com, b@example.com\r\nX-Service-Ref",
    );
    expect(await feed(unnamed)).toMatchObject({ emailId: id, effects: [] });
    const named = unnamed.replace("abuse", "abuse\r\nOriginal-Rcpt-To: <b@example.com>");
    expect((await feed(named)).effects).toMatchObject([{ recipient: "b@example.com", effect: "suppressed" }]);
    expect((await suppressed()).map(([email]) => email)).toEqual(["b@example.com"]);
  });

  test.each([
    "550 5.7.1 blocked using zen.spamhaus.org",
    "550 Denied",
    "554 5.7.1 Relay access denied",
    "550 domain shop.example does not exist",
    "452 4.2.2 full",
    "550 5.2.1 disabled",
  ])("does not follow %s", async (reply) => {
    expect(await bounceBy(reply)).toBe("noted");
    expect(await suppressed()).toEqual([]);
  });

  test("does not follow if the workspace's setting is off", async () => {
    await world.posthorn.settings.update({ bounceAutoSuppress: false }, workspace.asOwner);
    const { token } = await deliver();
    await feed(about(token));
    await feed(complaint(token));
    expect(await suppressed()).toEqual([]);
  });

  test("does not follow a human-readable notice, which anybody could have forged", async () => {
    const { token } = await deliver();
    const notice = [
      "X-Failed-Recipients: ada@example.com",
      "",
      "  ada@example.com",
      "    550 5.1.1 no",
      "",
      `X-Service-Ref: ${token}`,
    ].join("\r\n");
    expect((await feed(notice)).effects).toMatchObject([{ category: "invalid_recipient", effect: "noted" }]);
    expect(await suppressed()).toEqual([]);
  });

  test("does not follow mail that anybody could have sent: without the signed token it is only recorded", async () => {
    const { id, token } = await deliver();
    const receive = (message: string) =>
      world.posthorn.inbound.receiveMessage({ message, recipients: ["fbl@in.post.example"] });
    const returned = [`Message-ID: <${id}@posthorn.example>`];
    const forged = await receive(notification([{ reply: "550 5.1.1 User unknown" }], { returned }));
    expect(forged).toMatchObject({ emailId: id, effects: [{ effect: "noted" }] });
    expect(await suppressed()).toEqual([]);
    expect((await receive(complaint(token))).effects).toMatchObject([{ effect: "suppressed" }]);
    expect(await suppressed()).toEqual([["ada@example.com", "complaint", undefined]]);
  });

  test("follows what came without a token once the workspace submits it, unchanged, with its own credentials", async () => {
    const { id } = await deliver();
    const message = notification([{}], { returned: [`Message-ID: <${id}@posthorn.example>`] });
    const receive = () =>
      world.posthorn.inbound.receiveMessage({ message, recipients: ["fbl@in.post.example"] });
    const [first, again] = [await receive(), await receive()];
    expect(again).toEqual(first);
    expect((await feed(message)).effects).toMatchObject([{ effect: "suppressed" }]);
    expect(await suppressed()).toEqual([["ada@example.com", "bounce", undefined]]);
    expect((await feed(message)).effects).toMatchObject([{ effect: "suppressed" }]);
  });

  test("follows a proven bounce, though a forged one was recorded before", async () => {
    const { id, token } = await deliver();
    const receive = (message: string) =>
      world.posthorn.inbound.receiveMessage({ message, recipients: ["fbl@in.post.example"] });
    const returned = [`Message-ID: <${id}@posthorn.example>`];
    await receive(notification([{ reply: "452 4.2.2 full" }], { returned }));
    expect((await receive(about(token))).effects).toMatchObject([{ effect: "suppressed" }]);
    expect(await suppressed()).toEqual([["ada@example.com", "bounce", undefined]]);
    const { recipients } = await world.posthorn.emails.get({ emailId: id }, workspace.asOwner);
    expect(recipients).toMatchObject([{ category: "invalid_recipient", enhancedCode: "5.1.1" }]);
    expect((await receive(`X-Received: 1\r\n${about(token)}`)).effects).toMatchObject([{ effect: "known" }]);
  });

  test("follows a disabled mailbox at its second bounce, a day or more after the first", async () => {
    expect(await bounceBy("550 5.2.1 disabled")).toBe("noted");
    world.clock.advance(day - 1);
    expect(await bounceBy("550 5.2.1 disabled")).toBe("noted");
    world.clock.advance(1);
    expect(await bounceBy("550 5.2.1 disabled")).toBe("suppressed");
  });

  test("follows a mailbox that was full on five days of thirty, for thirty days", async () => {
    for (let count = 0; count < 4; count++) {
      expect(await bounceBy("552 5.2.2 full")).toBe("noted");
      expect(await bounceBy("552 5.2.2 full")).toBe("noted");
      world.clock.advance(day);
    }
    expect(await bounceBy("552 5.2.2 full")).toBe("suppressed");
    expect(await suppressed()).toEqual([["ada@example.com", "bounce", world.clock.now() + 30 * day]]);
  });

  test.each([
    ["delays", { action: "delayed", reply: "452 4.2.2 full" }],
    ["delays of an unknown user", { action: "delayed", reply: "550 5.1.1 User unknown" }],
    ["refusals by policy", { reply: "550 5.7.1 blocked" }],
  ])("does not follow %s, on however many days", async (_, told) => {
    for (let count = 0; count < 6; count++) {
      const { effects } = await feed(about((await deliver()).token, [told]));
      expect(effects).toMatchObject([{ effect: "noted" }]);
      world.clock.advance(day);
    }
    expect(await suppressed()).toEqual([]);
  });
});
