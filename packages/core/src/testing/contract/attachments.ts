import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { AttachmentItem, Storage } from "../../ports/storage.ts";
import { race } from "./people-world.ts";
import { NOW, newCampaign, newEmail, nextId, type SendingWorld, useSendingWorld } from "./sending-world.ts";

const hour = 3_600_000;
const sha = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Stores a content of two pieces, as an upload does. */
async function keep({ attachments }: Storage, text: string, now = NOW): Promise<number> {
  const id = await attachments.beginUpload(now);
  await attachments.addChunk(id, 0, `${text}\r\n`);
  await attachments.addChunk(id, 1, "end\r\n");
  return attachments.finishUpload(id, { digest: sha(text), size: text.length }, now);
}

const itemOf = (blobId: number, text: string, over: Partial<AttachmentItem> = {}): AttachmentItem => ({
  blobId,
  digest: sha(text),
  size: text.length,
  filename: `${text}.txt`,
  contentType: "text/plain",
  contentId: undefined,
  ...over,
});

async function addHandle({ storage, workspaceId }: SendingWorld, blobId: number, expiresAt = NOW + hour) {
  const handle = {
    id: nextId(),
    workspaceId,
    blobId,
    filename: "a.txt",
    contentType: "text/plain",
    createdAt: NOW,
    expiresAt,
  };
  await storage.attachments.insertHandle(handle);
  return handle;
}

/**
 * The contract of files of e-mails: contents stored once but by concurrent callers, lists of files, uploads, and removal
 * of unreferenced files.
 */
export const describeAttachments = (open: () => Promise<Storage>): void => {
  describe("attachments", () => {
    const world = useSendingWorld(open);

    test("a content is stored once by its digest, in pieces, but perhaps by callers who are the first together", async () => {
      const { storage } = world();
      const { attachments } = storage;
      expect(await attachments.takeBlob(sha("one"), NOW)).toBeUndefined();
      const ids = [...new Set(await race(() => keep(storage, "one")))].sort((a, b) => a - b);
      const [id = 0, ...others] = ids;
      expect(await attachments.takeBlob(sha("one"), NOW)).toBe(id);
      expect(await race(() => keep(storage, "one"), 3)).toEqual([id, id, id]);
      expect(await attachments.readChunk(id, 0)).toEqual(Buffer.from("one\r\n"));
      expect(await attachments.readChunk(id, 1)).toEqual(Buffer.from("end\r\n"));
      expect(await attachments.readChunk(id, 2)).toBeUndefined();
      const two = await keep(storage, "two");
      expect(two).not.toBe(id);
      for (const each of others) expect(await attachments.readChunk(each, 1)).toEqual(Buffer.from("end\r\n"));
      for (const at of [NOW, NOW + hour]) {
        const found = ["one", "two", "three"].map((text) => attachments.takeBlob(sha(text), at));
        expect(await Promise.all(found)).toEqual([id, two, undefined]);
      }
      // Uploads with the same content as an earlier one are gone.
      expect(await attachments.deleteUnused(NOW + 3 * hour, 100)).toBe(2 + others.length);
      expect(await attachments.readChunk(id, 0)).toBeUndefined();
    });

    test("an unfinished upload can be dropped, is deleted after an hour, and accepts no piece after that", async () => {
      const { attachments } = world().storage;
      const [dropped, late] = [await attachments.beginUpload(NOW), await attachments.beginUpload(NOW)];
      for (const id of [dropped, late]) await attachments.addChunk(id, 0, "x\r\n");
      await attachments.dropUpload(dropped);
      expect(await attachments.readChunk(dropped, 0)).toBeUndefined();
      expect(await attachments.deleteUnused(NOW + hour - 1, 100)).toBe(0);
      expect(await attachments.deleteUnused(NOW + hour, 100)).toBe(1);
      expect(await attachments.readChunk(late, 0)).toBeUndefined();
      await expect(attachments.addChunk(late, 1, "y\r\n")).rejects.toThrow(/expired before/);
      await expect(attachments.finishUpload(late, { digest: sha("y"), size: 1 }, NOW)).rejects.toThrow(
        /expired before/,
      );
    });

    test("equal lists of files are stored once, in order, but perhaps by callers who are the first together", async () => {
      const { storage } = world();
      const { attachments } = storage;
      const [a, b] = [await keep(storage, "a"), await keep(storage, "b")];
      const items = [itemOf(b, "b", { contentId: "logo" }), itemOf(a, "a")];
      const ids = [...new Set(await race(() => attachments.putSet({ digest: "d1", items })))].sort(
        (a, b) => a - b,
      );
      expect(await attachments.putSet({ digest: "d1", items })).toBe(ids[0]);
      const other = await attachments.putSet({ digest: "d2", items: [itemOf(a, "a")] });
      const none = other + 1;
      expect(await attachments.listItems([...ids, other, none])).toEqual(
        new Map([...ids.map((id) => [id, items] as const), [other, [itemOf(a, "a")]], [none, []]]),
      );
    });

    test("handles are found in their workspace until they expire, and extended by use", async () => {
      const given = world();
      const { attachments } = given.storage;
      const other = await given.addWorkspace("Other");
      const handle = await addHandle(given, await keep(given.storage, "abc"));
      const kept = { ...handle, digest: sha("abc"), size: 3, usedAt: undefined };
      const beside = await addHandle(given, await keep(given.storage, "de"));
      await addHandle({ ...given, workspaceId: other }, await keep(given.storage, "another's"));
      expect(await attachments.findHandles(given.workspaceId, [handle.id, nextId()], NOW)).toEqual([kept]);
      expect(await attachments.findHandles(other, [handle.id], NOW)).toEqual([]);
      expect(await attachments.findHandles(given.workspaceId, [handle.id], NOW + hour)).toEqual([]);
      expect(await attachments.unusedOf(given.workspaceId)).toEqual({ bytes: 5, handles: 2 });
      await attachments.useHandles([handle.id], NOW + 5, NOW + 2 * hour);
      expect(await attachments.unusedOf(given.workspaceId)).toEqual({ bytes: 2, handles: 1 });
      expect(await attachments.findHandles(given.workspaceId, [handle.id], NOW + hour)).toEqual([
        { ...kept, usedAt: NOW + 5, expiresAt: NOW + 2 * hour },
      ]);
      expect(await attachments.deleteHandle(other, handle.id, NOW)).toBe(false);
      expect(await attachments.deleteHandle(given.workspaceId, handle.id, NOW)).toBe(true);
      expect(await attachments.deleteHandle(given.workspaceId, handle.id, NOW)).toBe(false);
      expect(await attachments.deleteExpired(NOW, 9)).toBe(0);
      expect(await attachments.findHandles(given.workspaceId, [beside.id], NOW)).toMatchObject([
        { id: beside.id, usedAt: undefined },
      ]);
      // As many as retention tells beforehand.
      for (const [now, count] of [
        [NOW + hour, 0],
        [NOW + hour + 1, 2],
      ] as const) {
        expect(await given.storage.retention.countTimed("attachment_handles", now)).toBe(count);
        expect(await attachments.deleteExpired(now, 9)).toBe(count);
      }
    });

    test("a content stays while a handle or a list refers to it, and an hour longer", async () => {
      const given = world();
      const { attachments, emails } = given.storage;
      const blobId = await keep(given.storage, "abc");
      const prune = async (now: number) => {
        await attachments.deleteExpired(now, 10);
        for (let done = 1; done > 0; ) done = await attachments.deleteUnused(now, 10);
        return (await attachments.readChunk(blobId, 0)) !== undefined;
      };
      await addHandle(given, blobId, NOW + 9 * hour);
      expect(await prune(NOW + 2 * hour)).toBe(true);
      const attachmentSetId = await attachments.putSet({ digest: "d", items: [itemOf(blobId, "abc")] });
      const email = newEmail(given, { attachmentSetId });
      await emails.insert([email]);
      expect(await emails.find("all", email.id, NOW)).toMatchObject({ attachmentSetId });
      expect(await prune(NOW + 20 * hour)).toBe(true);
      await emails.cancel("all", email.id, NOW + 20 * hour);
      await emails.deleteBefore(given.workspaceId, NOW + 20 * hour + 1, 10);
      expect(await prune(NOW + 21 * hour)).toBe(true);
      expect(await attachments.listItems([attachmentSetId])).toEqual(new Map([[attachmentSetId, []]]));
      expect(await prune(NOW + 22 * hour - 1)).toBe(true);
      expect(await prune(NOW + 22 * hour)).toBe(false);
    });

    test("a check of one content leaves those of others to come", async () => {
      const given = world();
      const { attachments } = given.storage;
      await addHandle(given, await keep(given.storage, "used"), NOW + 9 * hour);
      const unused = await keep(given.storage, "unused", NOW + hour);
      expect(await attachments.deleteUnused(NOW + hour, 10)).toBe(1);
      expect(await attachments.readChunk(unused, 0)).toBeDefined();
      expect(await attachments.deleteUnused(NOW + 2 * hour, 10)).toBe(1);
      expect(await attachments.readChunk(unused, 0)).toBeUndefined();
    });

    test("a campaign keeps its files from its creation until they are replaced, dropped or it is deleted", async () => {
      const given = world();
      const { attachments, campaigns, workspaces } = given.storage;
      const putSet = async (name: string) =>
        attachments.putSet({ digest: name, items: [itemOf(await keep(given.storage, name), name)] });
      const [first, second, third] = [await putSet("one"), await putSet("two"), await putSet("three")];
      const { id } = await campaigns.insert(newCampaign(given, { attachmentSetId: first }));
      const ended = await campaigns.insert(newCampaign(given, { attachmentSetId: third }));
      expect(await campaigns.find(given.workspaceId, id)).toMatchObject({ attachmentSetId: first });
      let now = NOW;
      const filesOf = async (...ids: number[]) => {
        now += 3 * hour;
        for (let done = 1; done > 0; ) done = await attachments.deleteUnused(now, 10);
        const items = await attachments.listItems(ids);
        return ids.map((set) => items.get(set)?.map(({ filename }) => filename));
      };
      await campaigns.update(id, { name: "Same files" }, NOW);
      expect(await filesOf(first, third)).toEqual([["one.txt"], ["three.txt"]]);
      await campaigns.update(id, { attachmentSetId: second }, NOW);
      expect(await filesOf(first, second, third)).toEqual([[], ["two.txt"], ["three.txt"]]);
      await campaigns.transition(ended.id, ["draft"], { status: "completed", lookAt: undefined }, NOW);
      await campaigns.forgetContents({ workspaceId: given.workspaceId, before: NOW + 1, limit: 5 });
      expect(await campaigns.find(given.workspaceId, ended.id)).toMatchObject({ attachmentSetId: undefined });
      expect(await filesOf(second, third)).toEqual([["two.txt"], []]);
      await workspaces.delete(given.workspaceId);
      expect(await filesOf(second)).toEqual([[]]);
    });

    test("a content used again is kept, though it was about to be checked", async () => {
      const { storage } = world();
      const { attachments } = storage;
      const blobId = await keep(storage, "abc");
      expect(await attachments.takeBlob(sha("abc"), NOW + hour - 1)).toBe(blobId);
      expect(await attachments.deleteUnused(NOW + hour, 10)).toBe(0);
      expect(await attachments.deleteUnused(NOW + 2 * hour, 10)).toBe(1);
      expect(await attachments.takeBlob(sha("abc"), NOW)).toBeUndefined();
    });

    test("a deleted workspace leaves no files behind, and deletes no others'", async () => {
      const given = world();
      const { attachments, workspaces, emails } = given.storage;
      const [own, shared] = [await keep(given.storage, "own"), await keep(given.storage, "shared")];
      const other = await given.addWorkspace("Other");
      await addHandle(given, own);
      await addHandle({ ...given, workspaceId: other }, shared, NOW + 99 * hour);
      const items = [itemOf(own, "own"), itemOf(shared, "shared")];
      const attachmentSetId = await attachments.putSet({ digest: "d", items });
      await emails.insert([newEmail(given, { attachmentSetId })]);
      await workspaces.delete(given.workspaceId);
      for (const later of [2, 4]) await attachments.deleteUnused(NOW + later * hour, 10);
      expect(await attachments.readChunk(own, 0)).toBeUndefined();
      expect(await attachments.readChunk(shared, 0)).toEqual(Buffer.from("shared\r\n"));
    });

    test("concurrent pruning and sending never lose a file", async () => {
      const given = world();
      const { storage } = given;
      const blobId = await keep(storage, "abc");
      const set = { digest: "d", items: [itemOf(blobId, "abc")] };
      await storage.attachments.putSet(set);
      for (let round = 0; round < 8; round += 1) {
        const now = NOW + (round + 1) * 2 * hour;
        const [sent] = await Promise.all([
          storage.transaction(async ({ attachments, emails }) => {
            // One that is being checked is not taken.
            if ((await attachments.takeBlob(sha("abc"), now)) === undefined)
              await keep({ ...storage, attachments }, "abc", now);
            const attachmentSetId = await attachments.putSet(set);
            const email = newEmail(given, { attachmentSetId, createdAt: now });
            await emails.insert([email]);
            return { id: email.id, attachmentSetId };
          }),
          storage.attachments.deleteUnused(now, 10),
        ]);
        expect(sent).toBeDefined();
        if (sent === undefined) return;
        const items = await storage.attachments.listItems([sent.attachmentSetId]);
        expect(items.get(sent.attachmentSetId)).toHaveLength(1);
        expect(await storage.attachments.readChunk(blobId, 0)).toEqual(Buffer.from("abc\r\n"));
        await storage.emails.cancel("all", sent.id, now);
        await storage.emails.deleteBefore(given.workspaceId, now + 1, 10);
      }
    });
  });
};
