import { createSqliteStorage } from "@posthorn/storage-sqlite";
import Sqlite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { bytes, mebibyte, upload } from "../../../test/attachments.ts";
import {
  day,
  host,
  hour,
  limitTo,
  openWorldForEach,
  type SendInput,
  workspace,
  world,
} from "../../../test/world-for-each.ts";
import { AttachmentUnreadable } from "../../ports/mailer.ts";
import { pieceBytes } from "../../rules/base64-lines.ts";
import { createWorld } from "../../testing/index.ts";
import { createAttachment, readAttachment } from "./attachment-content.ts";

openWorldForEach();

const send = (attachments: SendInput["attachments"], more: Partial<SendInput> = {}) =>
  world.posthorn.emails.send(
    { subject: "Hi", text: "Hello", to: ["ada@example.com"], attachments, ...more },
    host(),
  );

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Returns the files of the only delivered message, with their contents. */
async function delivered(): Promise<[string, string, string | undefined, Buffer][]> {
  await world.posthorn.drain();
  const [mail] = world.mailer.inbox.all();
  return Promise.all(
    (mail?.attachments ?? []).map(
      async (file): Promise<[string, string, string | undefined, Buffer]> => [
        file.filename,
        file.contentType,
        file.contentId,
        await readAttachment(file),
      ],
    ),
  );
}

describe("attachments of a send", () => {
  test("inline and uploaded ones are delivered in order, including duplicate names and an empty file", async () => {
    const large = Buffer.from(Array.from({ length: pieceBytes + 100 }, (_, index) => index % 253));
    const { id } = await upload(large, "large.pdf");
    const sent = await send(
      [
        { filename: "a.txt", content: base64("first") },
        { id },
        { filename: "a.txt", content: bytes("second"), contentType: "text/plain; charset=utf-8" },
        { id, filename: "again.bin", contentId: "Logo" },
        { filename: "empty", content: "" },
      ],
      { html: '<img src="cid:Logo">' },
    );
    const facts = sent.attachments.map(({ position, size, contentType }) => [position, size, contentType]);
    expect(facts).toEqual([
      [0, 5, "text/plain"],
      [1, large.length, "application/pdf"],
      [2, 6, "text/plain; charset=utf-8"],
      [3, large.length, "application/pdf"],
      [4, 0, "application/octet-stream"],
    ]);
    expect(await delivered()).toEqual([
      ["a.txt", "text/plain", undefined, Buffer.from("first")],
      ["large.pdf", "application/pdf", undefined, large],
      ["a.txt", "text/plain; charset=utf-8", undefined, Buffer.from("second")],
      ["again.bin", "application/pdf", "Logo", large],
      ["empty", "application/octet-stream", undefined, Buffer.alloc(0)],
    ]);
    const read = await world.posthorn.emails.get({ emailId: sent.id }, host());
    const [listed] = (await world.posthorn.emails.list({}, host())).items;
    expect([read.attachments, listed?.attachments]).toEqual([sent.attachments, sent.attachments]);
  });

  test("an e-mail by template can have files too; inline ones must be referred to by its html", async () => {
    const add = (name: string, content: object) =>
      world.posthorn.templates.create({ name, subject: "S", ...content }, workspace.asOwner);
    await add("page", { html: '<img src="cid:logo">' });
    await add("plain", { text: "T" });
    const sendTemplate = (template: string) =>
      world.posthorn.emails.sendTemplate(
        {
          template,
          to: ["ada@example.com"],
          attachments: [{ filename: "l.png", content: base64("png"), contentId: "logo" }],
        },
        host(),
      );
    await expect(sendTemplate("plain")).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ path: "attachments.0.contentId", message: "needs html that refers to it" }],
    });
    await sendTemplate("page");
    expect(await delivered()).toEqual([["l.png", "image/png", "logo", Buffer.from("png")]]);
  });

  test("a repeated request is recognised however its base64 is wrapped; another file makes it another request", async () => {
    const idempotencyKey = "order-1";
    const text = base64("the same file");
    const first = await send([{ filename: "a", content: text }], { idempotencyKey });
    const broken = `${text.slice(0, 8)}\r\n${text.slice(8)}`;
    const again = await send([{ filename: "a", content: broken }], { idempotencyKey });
    expect(again).toEqual({ ...first, replayed: true });
    await expect(
      send([{ filename: "a", content: base64("another") }], { idempotencyKey }),
    ).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });

  test("a request's files are limited to 10 MB, and the refusal points to uploads", async () => {
    const content = Buffer.alloc(6 * mebibyte);
    const two = [
      { filename: "a", content },
      { filename: "b", content },
    ];
    await expect(send(two)).rejects.toMatchObject({
      code: "attachment_too_large",
      message: expect.stringContaining("POST /attachments"),
      details: { limit: "inline_mb", value: 10, size: 12 * mebibyte },
    });
    const { id } = await upload(content);
    expect((await send([{ id }, { id }])).attachments).toHaveLength(2);
    await expect(send(Array(5).fill({ id }))).rejects.toMatchObject({
      code: "message_too_large",
      details: { limit: "max_message_mb", value: 25, size: 30 * mebibyte },
    });
  });

  test("another workspace's upload is not found, nor is an expired one", async () => {
    const { id } = await upload(bytes("x"));
    const other = await world.addWorkspace();
    const input = { subject: "S", text: "T", to: ["a@example.com"], attachments: [{ id }] };
    const refusal = { code: "attachment_not_found", details: { missing: [id] } };
    await expect(world.posthorn.emails.send(input, { workspaceId: other.id })).rejects.toMatchObject(refusal);
    world.clock.advance(7 * day);
    await expect(send([{ id }])).rejects.toMatchObject({ code: "attachment_not_found" });
  });

  test("each send extends an upload by seven days, also one within a day of another", async () => {
    const { id } = await upload(bytes("x"));
    await send([{ id }]);
    world.clock.advance(day - 1);
    await send([{ id }]);
    world.clock.advance(7 * day - 1);
    await world.posthorn.prune();
    expect((await send([{ id }])).attachments).toHaveLength(1);
  });

  test("sending extends an upload; unused it is deleted after seven days, with its content an hour later", async () => {
    const [used, unused] = [await upload(bytes("used")), await upload(bytes("unused"))];
    world.clock.advance(5 * day);
    const { id: emailId } = await send([{ id: used.id }]);
    world.clock.advance(4 * day);
    await world.posthorn.prune();
    const get = (attachmentId: string) => world.posthorn.attachments.get({ attachmentId }, host());
    expect((await get(used.id)).expiresAt).toBe(world.clock.now() + 4 * day);
    await expect(get(unused.id)).rejects.toMatchObject({ code: "not_found" });
    const { attachments } = world.storage;
    const isKept = async () =>
      (await attachments.findHandles(workspace.id, [unused.id], 0)).length +
        Number((await attachments.readChunk(2, 0)) !== undefined) >
      0;
    expect(await isKept()).toBe(true);
    world.clock.advance(hour);
    await world.posthorn.prune();
    expect(await isKept()).toBe(false);
    world.clock.advance(8 * day);
    await world.posthorn.prune();
    await expect(get(used.id)).rejects.toMatchObject({ code: "not_found" });
    // Deleting the upload leaves the e-mail's file in place.
    const { content } = await world.posthorn.emails.getAttachment({ emailId, position: 0 }, host());
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe("used");
  });

  test("files of a refused or repeated send are not stored: quota and key are checked first", async () => {
    await limitTo({ hourlyRateLimit: 1 });
    const idempotencyKey = "k";
    const first = await send([], { idempotencyKey });
    const begun: unknown[] = [];
    const { attachments } = world.storage;
    const { beginUpload } = attachments;
    attachments.beginUpload = (now) => {
      begun.push(now);
      return beginUpload(now);
    };
    await expect(send([{ filename: "a", content: base64("x") }])).rejects.toMatchObject({
      code: "rate_limited",
    });
    expect(await send([], { idempotencyKey })).toEqual({ ...first, replayed: true });
    expect(begun).toEqual([]);
  });

  test("a dry run stores nothing, and reports every problem and warnings about the files", async () => {
    await limitTo({ maxAttachmentSizeMb: 1 });
    const dryRun = await world.posthorn.emails.dryRunSend(
      {
        subject: "S",
        html: '<img src="cid:Logo"><img src="cid:logo">',
        to: ["ada@example.com"],
        attachments: [
          { filename: "big.bin", content: Buffer.alloc(mebibyte + 1) },
          { id: "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f" },
          { filename: "setup.EXE", content: base64("x") },
          { filename: "logo.png", content: base64("x"), contentId: "logo" },
          { filename: "other.png", content: base64("x"), contentId: "other" },
        ],
      },
      host(),
    );
    expect(dryRun.reasons.map(({ code }) => code)).toEqual(["attachment_not_found", "attachment_too_large"]);
    expect(dryRun.warnings).toMatchObject([
      { code: "cid_unknown", details: { content_id: "Logo" } },
      { code: "cid_unused", details: { content_id: "other" } },
      { code: "extension_refused_by_gmail", details: { filename: "setup.EXE" } },
    ]);
    expect(await world.storage.attachments.readChunk(1, 0)).toBeUndefined();
  });

  test("an upload, which is stored unencrypted, can't be attached to a sensitive e-mail", async () => {
    const { id } = await upload(bytes("terms"));
    await expect(
      send([{ filename: "a", content: base64("x") }, { id }], { sensitive: true }),
    ).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ path: "attachments.1.id", message: expect.stringContaining("give the file's content") }],
    });
  });
});

describe("delivering files", () => {
  test("an unreadable file defers the e-mail, a missing one fails it, and both give the reason", async () => {
    const { id } = await upload(bytes("x"));
    const [{ id: emailId }, { id: goneId }] = [await send([{ id }]), await send([{ id }])];
    world.mailer.answerWith(({ emailId: sent }) => {
      throw new AttachmentUnreadable("a.bin can't be read", { isGone: sent === goneId });
    });
    await world.posthorn.drain();
    const statusOf = async (one: string) => {
      const { status, recipients } = await world.posthorn.emails.get({ emailId: one }, host());
      return [status, recipients[0]?.state, recipients[0]?.lastReply];
    };
    expect(await statusOf(emailId)).toEqual(["queued", "deferred", "a.bin can't be read"]);
    expect(await statusOf(goneId)).toEqual(["failed", "failed", "a.bin can't be read"]);
  });

  test("files of up to 128 MB are in flight at once, however many e-mails there are", async () => {
    const { id } = await upload(Buffer.alloc(25 * mebibyte));
    for (let count = 0; count < 5; count += 1) await send([{ id }]);
    let [now, most] = [0, 0];
    world.mailer.answerWith(async ({ envelope }) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return {
        recipients: envelope.to.map((address) => ({ address, outcome: "accepted", code: 250, reply: "" })),
        inDoubt: false,
      };
    });
    await world.posthorn.drain();
    expect([world.mailer.inbox.all().length, most]).toEqual([5, 3]);
  });
});

test("a message's file made of bytes is read back unchanged", async () => {
  const content = Buffer.alloc(pieceBytes + 7, 3);
  const file = createAttachment({ filename: "a", contentType: "a/b", content });
  expect((await readAttachment(file)).equals(content)).toBe(true);
  expect(file.size).toBe(content.length);
});

test("in the host's transaction a file commits and rolls back with it", async () => {
  const database = new Sqlite(":memory:");
  const hosted = await createWorld(await createSqliteStorage({ database }));
  try {
    const { id: workspaceId } = await hosted.addWorkspace();
    const attachments = [{ filename: "a.txt", content: base64("abc") }];
    const input = { subject: "S", text: "T", to: ["a@example.com"], attachments };
    database.exec("begin");
    await hosted.posthorn.within(database).emails.send(input, { workspaceId });
    database.exec("rollback");
    expect((await hosted.posthorn.emails.list({}, { workspaceId })).total).toBe(0);
    database.exec("begin");
    await hosted.posthorn.within(database).emails.send(input, { workspaceId });
    database.exec("commit");
    await hosted.posthorn.drain();
    const [file] = hosted.mailer.inbox.all()[0]?.attachments ?? [];
    expect(file && (await readAttachment(file)).toString()).toBe("abc");
  } finally {
    await hosted.close();
    database.close();
  }
});
