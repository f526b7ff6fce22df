import { text } from "node:stream/consumers";
import { describe, expect, test, vi } from "vitest";
import {
  batch,
  list,
  literal,
  many,
  openBatchWorldForEach,
  people,
  suppress,
  tryBatch,
  used,
} from "../../../test/batch-world.ts";
import { host, hour, limitTo, reopenWorld, workspace, world } from "../../../test/world-for-each.ts";
import { createFixedClock } from "../../testing/index.ts";

openBatchWorldForEach();

describe("the limits of a batch", () => {
  test("its size is the plan's, exactly, counted in recipients", async () => {
    await limitTo({ maxBatchSize: 3 });
    expect((await batch({ ...literal, recipients: many(3) })).emails).toHaveLength(3);
    await expect(batch({ ...literal, recipients: many(4) })).rejects.toMatchObject({
      code: "batch_too_large",
      details: { limit: "max_batch_size", value: 3, count: 4 },
    });
    const wide = { ...literal, to: ["a@b.example", "b@b.example"], cc: ["c@b.example", "d@b.example"] };
    await expect(batch({ emails: [wide] })).rejects.toMatchObject({ code: "batch_too_large" });
  });

  test("without a plan it is ten thousand", async () => {
    const refused = { code: "batch_too_large", details: { value: 10_000, count: 10_001 } };
    await expect(batch({ ...literal, recipients: many(10_001) })).rejects.toMatchObject(refused);
    await expect(tryBatch({ ...literal, recipients: many(10_001) })).rejects.toMatchObject(refused);
  });

  test("the values repeated for each recipient are limited", async () => {
    const templateData = { note: "x".repeat(200_000) };
    await expect(batch({ template: "offer", templateData, recipients: many(400) })).rejects.toMatchObject({
      code: "payload_too_large",
    });
  });

  test("so are the other fields that each e-mail stores", async () => {
    const replyTo = Array.from(
      { length: 10 },
      (_, at) => `${"店".repeat(200)} <${"r".repeat(60)}${at}@shop.example>`,
    );
    await expect(batch({ ...literal, replyTo, recipients: many(10_000) })).rejects.toMatchObject({
      code: "payload_too_large",
      details: { limit: "shared_mb", value: 64 },
    });
  });

  test("a thousand characters of missing names are told for each e-mail, the others by their number", async () => {
    const names = Array.from({ length: 300 }, (_, at) => `value_${100 + at}`);
    const text = names.map((name) => `{{${name}}}`).join("");
    await world.posthorn.templates.create({ name: "long", subject: "s", text }, workspace.asOwner);
    const asked = { template: "long", recipients: many(2) };
    const details = { missing: names.slice(0, 111), more: 189 };
    const fault = { code: "template_data_missing", details };
    await expect(batch(asked)).rejects.toMatchObject({ ...fault, details: [fault, fault] });
    expect((await tryBatch(asked)).faults).toMatchObject([fault, fault]);
    const { batchId, skipped } = await batch({ ...asked, onInvalid: "skip" });
    expect(skipped).toMatchObject([fault, fault]);
    const stored = await world.storage.batches.skipped({ id: batchId, workspaceId: workspace.id });
    expect(stored.map((one) => one.details)).toEqual([details, details]);
  });

  test("long missing names are fewer in the message than short ones", async () => {
    const names = Array.from({ length: 20 }, (_, at) => `${"n".repeat(190)}_${10 + at}`);
    const text = names.map((name) => `{{${name}}}`).join("");
    await world.posthorn.templates.create({ name: "long", subject: "s", text }, workspace.asOwner);
    const sent = world.posthorn.emails.sendTemplate({ template: "long", to: ["a@b.example"] }, host());
    await expect(sent).rejects.toMatchObject({
      message: `Placeholders without a value: ${names.slice(0, 2).join(", ")} and 18 more.`,
      details: { missing: names },
    });
  });

  test("its recipients are charged at once: all are accepted, or none", async () => {
    await limitTo({ hourlyRateLimit: 5 });
    const settled = await Promise.allSettled(
      Array.from({ length: 4 }, () => batch({ ...literal, recipients: people("a", "b") })),
    );
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await used()).toBe(4);
    await expect(batch({ ...literal, recipients: people("a", "b") })).rejects.toMatchObject({
      code: "rate_limited",
      details: { limit: "hourly_rate_limit", used: 4 },
    });
    expect((await batch({ ...literal, recipients: people("a") })).emails).toHaveLength(1);
  });

  test("deferred e-mails fill one hour after another, in order", async () => {
    await limitTo({ hourlyRateLimit: 2 });
    await suppress("p2@example.com");
    const sent = await batch({ ...literal, recipients: many(6), whenLimited: "defer", idempotencyKey: "k" });
    expect(sent.emails.map(({ index, status }) => [index, status])).toEqual([
      [0, "queued"],
      [1, "queued"],
      [2, "suppressed"],
      [3, "scheduled"],
      [4, "scheduled"],
      [5, "scheduled"],
    ]);
    const emails = (await list(sent.batchId)).reverse();
    const start = Math.floor(world.clock.now() / hour) * hour;
    expect(emails.map(({ scheduledAt }) => scheduledAt && (scheduledAt - start) / hour)).toEqual([
      undefined,
      undefined,
      undefined,
      1,
      1,
      2,
    ]);
    const again = await batch({ ...literal, recipients: many(6), whenLimited: "defer", idempotencyKey: "k" });
    expect(again).toEqual({ ...sent, replayed: true });
  });
});

describe("files of a batch", () => {
  const file = { filename: "terms.txt", content: Buffer.from("These are the terms.").toString("base64") };

  test("are stored once for all recipients who share them", async () => {
    const put = vi.spyOn(world.storage.attachments, "putSet");
    const sent = await batch({ ...literal, attachments: [file], recipients: many(5) });
    const { id } = await world.posthorn.attachments.upload(
      { filename: "a.txt", content: Buffer.from("x") },
      host(),
    );
    await batch({ ...literal, attachments: [{ id }], recipients: many(3) });
    put.mockRestore();
    const emails = await list(sent.batchId);
    expect(emails.map(({ attachments }) => attachments[0]?.filename)).toEqual(Array(5).fill("terms.txt"));
    const sets = await Promise.all(
      emails.map(
        async (email) =>
          (await world.storage.emails.find(workspace.id, email.id, world.clock.now()))?.attachmentSetId,
      ),
    );
    expect(new Set(sets).size).toBe(1);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toHaveLength(8);
  });

  test("belong to each e-mail if e-mails differ", async () => {
    const sent = await batch({
      emails: [
        { ...literal, to: ["ada@example.com"], attachments: [file] },
        { ...literal, to: ["bob@example.com"] },
      ],
    });
    expect((await list(sent.batchId)).map(({ attachments }) => attachments.length)).toEqual([0, 1]);
  });

  test("that differ are stored many at a time, each as it is", async () => {
    const begun = vi.spyOn(world.storage.attachments, "beginUpload");
    const content = (index: number) => Buffer.from(`${index % 100}`).toString("base64");
    const { batchId } = await batch({
      emails: Array.from({ length: 120 }, (_, index) => ({
        ...literal,
        to: [`p${index}@example.com`],
        sensitive: index === 7,
        attachments: index === 9 ? [] : [{ ...file, content: content(index) }],
      })),
    });
    expect(begun).not.toHaveBeenCalled();
    begun.mockRestore();
    const read = world.mailer.inbox;
    await world.posthorn.drain();
    const files = await Promise.all(
      read.all().map(async ({ envelope, attachments }) => {
        const pieces = await Promise.all(attachments.map(({ base64 }) => text(base64())));
        return [envelope.to[0], pieces.map((each) => each.trim()).join()];
      }),
    );
    const expected = Array.from({ length: 120 }, (_, index) => [
      `p${index}@example.com`,
      index === 9 ? "" : content(index),
    ]);
    expect(Object.fromEntries(files)).toEqual(Object.fromEntries(expected));
    expect((await world.posthorn.emails.getBatch({ batchId }, host())).counts).toMatchObject({ sent: 120 });
  });

  test("are not stored for a refused batch", async () => {
    await limitTo({ hourlyRateLimit: 1 });
    const begun = vi.spyOn(world.storage.attachments, "beginUpload");
    await expect(batch({ ...literal, attachments: [file], recipients: many(2) })).rejects.toMatchObject({
      code: "rate_limited",
    });
    expect(begun).not.toHaveBeenCalled();
    begun.mockRestore();
  });

  test("are not stored for e-mails that were sent before under their dedupe keys", async () => {
    const to = (name: string) => ({ to: `${name}@example.com`, dedupeKey: name });
    await batch({ ...literal, recipients: [to("ada")] });
    const begun = vi.spyOn(world.storage.attachments, "beginUpload");
    const sent = await batch({ ...literal, attachments: [file], recipients: [to("ada")] });
    expect([sent.emails, sent.skipped.length, begun.mock.calls.length]).toEqual([[], 1, 0]);
    const mixed = await batch({
      emails: ["ada", "bob"].map((name) => ({
        ...literal,
        ...to(name),
        to: [`${name}@example.com`],
        attachments: [file],
      })),
    });
    expect([mixed.emails.length, begun.mock.calls.length]).toEqual([1, 1]);
    expect((await list(mixed.batchId)).map(({ attachments }) => attachments.length)).toEqual([1]);
    begun.mockRestore();
  });

  test("are not left out of an e-mail whose dedupe key is free again when it is accepted: it is not sent", async () => {
    const { dedupeKeys } = world.storage;
    const recipients = people("ada", "bob").map((one) => ({ ...one, dedupeKey: one.to }));
    const { emails } = await batch({ ...literal, recipients });
    const find = dedupeKeys.find.bind(dedupeKeys);
    const look = vi.spyOn(dedupeKeys, "find").mockImplementationOnce(async (...asked) => {
      const found = await find(...asked);
      await dedupeKeys.release(found);
      return found;
    });
    const sent = await batch({ ...literal, attachments: [file], recipients });
    look.mockRestore();
    expect(sent.emails).toEqual([]);
    const firsts = emails.map(({ id }) => ({ code: "deduplicated", details: { email_id: id } }));
    expect(sent.skipped).toMatchObject(firsts);
    const { counts } = await world.posthorn.emails.getBatch({ batchId: sent.batchId }, host());
    expect(counts).toMatchObject({ total: 2, skipped: 2, queued: 0 });
  });
});

test("pruning removes a batch with its e-mails, and one without any after thirty days", async () => {
  const clock = createFixedClock();
  await reopenWorld({ clock });
  const empty = await batch({ ...literal, onInvalid: "skip", recipients: [{ to: "x" }] });
  const get = (batchId: string) =>
    world.posthorn.emails.getBatch({ batchId }, host()).then(
      () => true,
      () => false,
    );
  clock.advance(30 * 24 * hour);
  await world.posthorn.prune();
  expect(await get(empty.batchId)).toBe(true);
  clock.advance(1);
  await world.posthorn.prune();
  expect(await get(empty.batchId)).toBe(false);
});
