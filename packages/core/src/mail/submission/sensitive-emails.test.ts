import { describe, expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { invitation } from "../../../test/send-options.ts";
import {
  database,
  get,
  host,
  openDatabaseForEach,
  send,
  workspace,
  world,
} from "../../../test/world-for-each.ts";
import { base64Lines, pieceBytes } from "../../rules/base64-lines.ts";
import { answerAll, createWorld } from "../../testing/index.ts";
import { readAttachment } from "../attachments/attachment-content.ts";

openDatabaseForEach();

/** Returns everything in the database as text. */
function dump(): string {
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all() as {
    name: string;
  }[];
  return tables.map(({ name }) => JSON.stringify(database.prepare(`select * from "${name}"`).all())).join();
}

describe("sensitive", () => {
  const secret = "the-code-is-4711";

  test("no content is in the database in plain text, nor in the stored answer", async () => {
    await world.posthorn.templates.create(
      { name: "code", subject: "Code {{code}}", text: "Your code: {{code}}" },
      workspace.asOwner,
    );
    const literal = await send({
      subject: secret,
      text: `It is ${secret}`,
      html: `<p>${secret}</p>`,
      calendar: invitation(secret),
      sensitive: true,
      idempotencyKey: "k",
    });
    const rendered = await world.posthorn.emails.sendTemplate(
      {
        template: "code",
        to: ["bob@example.com"],
        templateData: { code: secret },
        sensitive: true,
        idempotencyKey: "l",
      },
      host(),
    );
    expect([literal.subject, rendered.subject]).toEqual(["", ""]);
    expect(dump()).not.toContain(secret);
    await world.posthorn.drain();
    expect(world.mailer.inbox.find({ to: "ada@example.com" })).toMatchObject({
      subject: secret,
      text: `It is ${secret}`,
      html: `<p>${secret}</p>`,
      calendar: { method: "REQUEST", content: invitation(secret) },
      isSensitive: true,
    });
    expect(world.mailer.inbox.find({ to: "bob@example.com" })).toMatchObject({
      subject: `Code ${secret}`,
      text: `Your code: ${secret}`,
    });
  });

  test("its files are encrypted, and unreadable once it is settled", async () => {
    const bytes = Buffer.from(secret.repeat(20_000));
    const attachments = [
      { filename: `${secret}.csv`, content: bytes, contentType: "text/x-secret" },
      { filename: "logo.png", content: Buffer.from(secret), contentId: "logo" },
    ];
    const html = '<img src="cid:logo">';
    const sent = await send({ subject: secret, html, sensitive: true, idempotencyKey: "k", attachments });
    const untold = { filename: "", contentType: "application/octet-stream", contentId: undefined };
    expect(sent.attachments).toEqual([
      { position: 0, size: bytes.length, ...untold },
      { position: 1, size: secret.length, ...untold },
    ]);
    const pieces = Array.from({ length: 2 }, (_, position) =>
      base64Lines(bytes.subarray(position * pieceBytes)),
    );
    const isReadable = () =>
      [secret, ...pieces.map((one) => one.slice(0, 60))].some((one) => dump().includes(one));
    expect(isReadable()).toBe(false);
    await expect(
      world.posthorn.emails.getAttachment({ emailId: sent.id, position: 0 }, workspace.asOwner),
    ).rejects.toMatchObject({ code: "content_unavailable" });
    let found: { filename: string; contentId: string | undefined; content: string }[] = [];
    world.mailer.answerWith(async (message) => {
      found = await Promise.all(
        message.attachments.map(async ({ filename, contentId, ...file }) => ({
          filename,
          contentId,
          content: String(await readAttachment(file)),
        })),
      );
      return answerAll("refused", 550, "550 no")(message);
    });
    await world.posthorn.drain();
    expect(found).toEqual([
      { filename: `${secret}.csv`, contentId: undefined, content: String(bytes) },
      { filename: "logo.png", contentId: "logo", content: secret },
    ]);
    // Their key was only in the payload.
    expect(database.prepare("select count(*) as n from posthorn_email_payloads").get()).toEqual({ n: 0 });
    expect(isReadable()).toBe(false);
  });

  test("a batch's shared files are encrypted once, and each of its e-mails can read them until it is settled", async () => {
    const { emails } = await world.posthorn.emails.sendBatch(
      {
        subject: secret,
        text: "x",
        sensitive: true,
        recipients: [{ to: "ada@example.com" }, { to: "bob@example.com" }],
        attachments: [{ filename: `${secret}.txt`, content: Buffer.from(secret) }],
      },
      host(),
    );
    expect(emails).toHaveLength(2);
    expect(dump()).not.toContain(secret);
    expect(dump()).not.toContain(Buffer.from(secret).toString("base64"));
    expect(database.prepare("select count(*) as n from posthorn_blobs").get()).toEqual({ n: 1 });
    await world.posthorn.drain();
    for (const to of ["ada@example.com", "bob@example.com"])
      expect(world.mailer.inbox.find({ to })?.attachments.map(({ filename }) => filename)).toEqual([
        `${secret}.txt`,
      ]);
  });

  test("its content is dropped in the transaction that settles it, and it can't be retried", async () => {
    const payloads = () => database.prepare("select count(*) as n from posthorn_email_payloads").get();
    world.mailer.answerWith(answerAll("refused", 550, "550 no"));
    const { id } = await send({ sensitive: true });
    expect(payloads()).toEqual({ n: 1 });
    await world.posthorn.drain();
    expect(payloads()).toEqual({ n: 0 });
    await expect(world.posthorn.emails.retry({ emailId: id }, workspace.asOwner)).rejects.toMatchObject({
      code: "not_retryable",
      message: expect.stringContaining("sensitive"),
    });
  });

  test("what is left of its content is dropped, too, if it can't be read any more", async () => {
    const { id } = await send({ sensitive: true });
    database.prepare("update posthorn_email_payloads set payload = substr(payload, 1, 20)").run();
    await world.posthorn.drain();
    expect((await get(id)).status).toBe("failed");
    expect(database.prepare("select count(*) as n from posthorn_email_payloads").get()).toEqual({ n: 0 });
  });

  test("requests under one key are compared by a keyed digest", async () => {
    const order = { sensitive: true, idempotencyKey: "k", text: secret };
    const first = await send(order);
    expect(await send(order)).toEqual({ ...first, replayed: true });
    await expect(send({ ...order, text: "other" })).rejects.toMatchObject({ code: "idempotency_key_reused" });
    const digestsUnder = async (secretKey: string) => {
      const one = await createWorld(await openTestSqlite(), { secretKey });
      onTestFinished(() => one.close());
      const [workspaceId, mail] = [(await one.addWorkspace()).id, { subject: "Hi", text: secret }];
      const sendAs = (idempotencyKey: string, sensitive: boolean) =>
        one.posthorn.emails.send(
          { ...mail, to: ["a@example.com"], idempotencyKey, sensitive },
          { workspaceId },
        );
      await Promise.all([sendAs("plain", false), sendAs("one", true)]);
      const emails = [true, false].map((sensitive) => ({ ...mail, to: ["a@example.com"], sensitive }));
      await one.posthorn.emails.sendBatch({ emails, idempotencyKey: "batch" }, { workspaceId });
      const found = ["plain", "one", "batch"].map((key) =>
        one.storage.idempotencyKeys.find(`workspace:${workspaceId}`, key, 0),
      );
      return (await Promise.all(found)).map((kept) => kept?.bodyDigest);
    };
    const keys = ["one secret key", "another secret key"].map((key) => key.padEnd(40, "."));
    const [ones, others = []] = await Promise.all(keys.map(digestsUnder));
    expect(ones?.map((digest, index) => digest === others[index])).toEqual([true, false, false]);
  });
});
