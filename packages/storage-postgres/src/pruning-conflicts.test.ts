import type { Repositories } from "@posthorn/core/storage";
import { sideOf } from "@posthorn/storage-sql";
import { expect, test } from "vitest";
import { openLockingWorld } from "../test/open-locking-world.ts";
import { runOnce, takeTestSchema, unhurried } from "../test/open-test-storage.ts";
import { createPostgresStorage } from "./create-postgres-storage.ts";

const digest = "a".repeat(64);
const hour = 3_600_000;

test("pruning skips files that a sender has locked, and waits for nobody", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const storage = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  const { attachments } = storage;
  const { id: workspaceId } = await storage.workspaces.insert({ name: "Shop", createdAt: 1 });
  const upload = await attachments.beginUpload(1);
  await attachments.addChunk(upload, 0, "abc\r\n");
  const blobId = await attachments.finishUpload(upload, { digest, size: 3 }, 1);
  const file = { filename: "a.txt", contentType: "text/plain" };
  await attachments.putSet({
    digest: "of a list",
    items: [{ ...file, blobId, digest, size: 3, contentId: undefined }],
  });
  const id = "0198c5a0-0000-7000-8000-000000000001";
  await attachments.insertHandle({ ...file, id, workspaceId, blobId, createdAt: 1, expiresAt: 2 });
  // A list is checked after an e-mail with it was deleted, but here there never was one.
  await runOnce(connectionString, `update "${schema}".attachment_sets set check_at = 0`);

  const now = 3 * hour;
  const whileInHand = await storage.transaction(async (tx) => {
    expect(await tx.attachments.takeBlob(digest, now)).toBe(blobId);
    return [await attachments.deleteExpired(now, 10), await attachments.deleteUnused(now, 10)];
  });
  expect(whileInHand).toEqual([0, 0]);
  expect([await attachments.deleteExpired(now, 10), await attachments.deleteUnused(now, 10)]).toEqual([1, 1]);
  await storage.close();
  await giveBack();
});

test("the content of a version that was just added to a deleted template is pruned", async () => {
  const { storage, world, untilWaiting } = await openLockingWorld();
  const { templates, contents } = storage;
  const { id: workspaceId } = await world.addWorkspace();
  const { id } = await world.posthorn.templates.create({ name: "t", text: "one" }, { workspaceId });
  let deleting: Promise<boolean> | undefined;
  const added = await storage.transaction(async (tx) => {
    const contentId = await tx.contents.put({ subject: "", html: "", text: "two" });
    const version = { id: "v", note: "", sampleData: {}, contentId, createdAt: 1 };
    await tx.templates.insertVersion(workspaceId, id, version);
    deleting ??= templates.delete(workspaceId, id);
    await untilWaiting(deleting);
    return contentId;
  });
  expect(await deleting).toBe(true);
  expect(await contents.find(added)).toBeDefined();
  await contents.deleteUnused(9);
  expect(await contents.find(added)).toBeUndefined();
});

test.each(["template", "version"] as const)(
  "the content of a version that was just changed is pruned once its %s is deleted",
  async (what) => {
    const { storage, world, untilWaiting } = await openLockingWorld();
    const { templates, contents } = storage;
    const { id: workspaceId } = await world.addWorkspace();
    const { id } = await world.posthorn.templates.create({ name: "t", text: "one" }, { workspaceId });
    const { id: versionId } = await world.posthorn.templateVersions.create(
      { templateId: id, text: "two" },
      { workspaceId },
    );
    const remove = {
      template: () => templates.delete(workspaceId, id),
      version: () => templates.deleteVersion(workspaceId, id, versionId),
    }[what];
    let deleting: Promise<unknown> | undefined;
    const changed = await storage.transaction(async (tx) => {
      const contentId = await tx.contents.put({ subject: "", html: "", text: "three" });
      await tx.templates.updateVersion(workspaceId, id, versionId, { contentId, updatedAt: 1 });
      deleting ??= remove();
      await untilWaiting(deleting);
      return contentId;
    });
    await deleting;
    expect(await contents.find(changed)).toBeDefined();
    await contents.deleteUnused(9);
    expect(await contents.find(changed)).toBeUndefined();
  },
);

test("a content is removed though it was checked while its last e-mail was being deleted", async () => {
  const { storage, world } = await openLockingWorld();
  const { id: workspaceId } = await world.addWorkspace();
  const mail = { to: ["ada@example.com"], subject: "Hi", text: "Hello." };
  for (const _ of [1, 2]) await world.posthorn.emails.send(mail, { workspaceId });
  await world.posthorn.drain();
  const { db } = sideOf(storage);
  const contents = () => db.selectFrom("contents").select("id").execute();
  expect(await contents()).toHaveLength(1);
  const removeNext = ({ emails }: Repositories) =>
    emails.deleteBefore(workspaceId, Number.MAX_SAFE_INTEGER, 1, 0);
  expect(await removeNext(storage)).toMatchObject({ removed: 1 });
  await storage.transaction(async (tx) => {
    expect(await removeNext(tx)).toMatchObject({ removed: 1 });
    await storage.contents.deleteUnused(9);
  });
  await storage.contents.deleteUnused(9);
  expect(await contents()).toEqual([]);
});

test("a list of files that lost a reference is noted for a check though another e-mail with it is being stored", async () => {
  const { storage, world } = await openLockingWorld();
  const { id: workspaceId } = await world.addWorkspace();
  const files = [{ filename: "a.txt", content: Buffer.from("the price list") }];
  const letter = { name: "News", subject: "News", text: "Hello.", attachments: files };
  const { id: campaignId } = await world.posthorn.campaigns.create(letter, { workspaceId });
  const { db } = sideOf(storage);
  await world.posthorn.campaigns.delete({ campaignId }, { workspaceId });
  const [list] = await db.selectFrom("attachment_sets").select(["digest"]).execute();
  const marks = () => db.selectFrom("loose_files").selectAll().execute();
  expect(await marks()).toHaveLength(1);
  await storage.transaction(async (tx) => {
    await tx.attachments.putSet({ digest: list?.digest ?? "", items: [] });
    expect(await storage.attachments.deleteUnused(world.clock.now(), 9)).toBe(0);
    expect(await marks()).toEqual([]);
  });
  expect(await storage.attachments.deleteUnused(world.clock.now(), 9)).toBe(1);
});

test("a much used content that lost many references, and that is being sent, holds up the removal of no other", async () => {
  const { storage, world } = await openLockingWorld();
  const { contents } = storage;
  const { db } = sideOf(storage);
  const used = { subject: "", html: "", text: "used" };
  const usedId = await contents.put(used);
  const unusedId = await contents.put({ subject: "", html: "", text: "unused" });
  // One of each removal from the log, and of each change of a template with the same text.
  const marks = [...Array.from({ length: 600 }, () => usedId), unusedId];
  await db
    .insertInto("loose_contents")
    .values(marks.map((row_id) => ({ kind: "content", row_id })))
    .execute();
  await storage.transaction(async (tx) => {
    expect(await tx.contents.put(used)).toBe(usedId);
    await world.posthorn.prune();
    expect(await contents.find(unusedId)).toBeUndefined();
    expect(await db.selectFrom("loose_contents").select("row_id").execute()).toEqual([{ row_id: usedId }]);
  });
  await world.posthorn.prune();
  expect(await contents.find(usedId)).toBeUndefined();
});
