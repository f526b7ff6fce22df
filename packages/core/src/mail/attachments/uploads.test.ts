import { describe, expect, test } from "vitest";
import { bytes, mebibyte, upload } from "../../../test/attachments.ts";
import { host, limitTo, openWorldForEach, workspace, world } from "../../../test/world-for-each.ts";

openWorldForEach();

describe("an upload", () => {
  test("of the same content is another handle on it, which does not reveal the other", async () => {
    const other = await world.addWorkspace();
    const first = await upload(bytes("same"), "first.txt");
    const second = await world.posthorn.attachments.upload(
      { filename: "second.txt", content: bytes("same") },
      { workspaceId: other.id },
    );
    expect(second).toEqual({ ...first, id: second.id, filename: "second.txt" });
    const handles = await Promise.all([
      world.storage.attachments.findHandles(workspace.id, [first.id], 0),
      world.storage.attachments.findHandles(other.id, [second.id], 0),
    ]);
    expect(new Set(handles.flat().map(({ blobId }) => blobId)).size).toBe(1);
  });

  test("is limited by the plan, before and while reading, and recorded in the audit log", async () => {
    await limitTo({ maxAttachmentSizeMb: 1 });
    async function* twice() {
      yield Buffer.alloc(mebibyte);
      yield Buffer.alloc(1);
    }
    const refusal = {
      code: "attachment_too_large",
      details: { limit: "max_attachment_size_mb", value: 1, filename: "a.bin", size: mebibyte + 1 },
    };
    await expect(upload(twice())).rejects.toMatchObject(refusal);
    let isRead = false;
    async function* never() {
      isRead = true;
      yield Buffer.alloc(0);
    }
    const foretold = { filename: "a.bin", content: never(), size: mebibyte + 1 };
    await expect(world.posthorn.attachments.upload(foretold, host())).rejects.toMatchObject(refusal);
    expect(isRead).toBe(false);
    const { id } = await upload(Buffer.alloc(mebibyte));
    await world.posthorn.attachments.delete({ attachmentId: id }, host());
    const { items } = await world.storage.events.list({ workspaceId: workspace.id }, { offset: 0, limit: 2 });
    expect(items.map(({ type, metadata }) => [type, JSON.parse(metadata)])).toEqual([
      ["attachment.deleted", { attachment_id: id, name: "a.bin" }],
      ["attachment.created", { attachment_id: id, name: "a.bin", size: mebibyte }],
    ]);
  });

  test("does not wait for others: eight at once in a workspace, the ninth is told to retry", async () => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    async function* slow() {
      yield bytes("x");
      await ended;
    }
    const under = Array.from({ length: 8 }, () => upload(slow()));
    await expect(upload(bytes("y"))).rejects.toMatchObject({ code: "rate_limited", retryAfter: 1 });
    end();
    expect(await Promise.all(under)).toHaveLength(8);
    expect((await upload(bytes("y"))).size).toBe(1);
  });

  test("by a key that is revoked before the file has come is refused, and leaves nothing", async () => {
    const { apiKeys } = world.posthorn;
    const { id: apiKeyId, key } = await apiKeys.create({ name: "leaked" }, workspace.asOwner);
    const caller = await world.posthorn.authenticateApiKey(key);
    if (caller === undefined) throw new Error("the key can't be used");
    const { attachments } = world.posthorn.as(caller);
    async function* revokedMeanwhile() {
      yield bytes("x");
      await apiKeys.revoke({ apiKeyId }, workspace.asOwner);
    }
    const file = { filename: "a.txt", content: revokedMeanwhile() };
    await expect(attachments.upload(file)).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await world.storage.attachments.unusedOf(workspace.id)).toMatchObject({ handles: 0 });
  });

  test("is refused once a workspace has uploaded 2 GB that it never sent", async () => {
    const { attachments } = world.storage;
    const { unusedOf } = attachments;
    attachments.unusedOf = async () => ({ bytes: 2 ** 31 + 1, handles: 3 });
    await expect(upload(bytes("y"))).rejects.toMatchObject({ code: "rate_limited" });
    attachments.unusedOf = unusedOf;
    expect((await upload(bytes("y"))).size).toBe(1);
  });
});
