import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { NOW, nextId, useSendingWorld } from "./sending-world.ts";

/** The contract of `ApiKeys`. */
export function describeApiKeys(open: () => Promise<Storage>): void {
  describe("API keys", () => {
    const world = useSendingWorld(open);
    const newKey = (name: string, over = {}) => ({
      id: nextId(),
      workspaceId: world().workspaceId,
      name,
      prefix: "sk_12345",
      createdBy: undefined,
      createdAt: NOW,
      expiresAt: undefined,
      digest: `digest of ${name}`,
      ...over,
    });

    test("a key is found by its digest, also when it is no longer valid", async () => {
      const { apiKeys } = world().storage;
      const first = newKey("first", { expiresAt: NOW + 1 });
      const { digest, ...kept } = { ...first, revokedAt: undefined, lastUsedAt: undefined };
      expect(await apiKeys.insert(first)).toEqual(kept);
      const second = newKey("second");
      await apiKeys.insert(second);
      await apiKeys.revoke(world().workspaceId, second.id, NOW + 5);
      const found = await apiKeys.findByDigests([digest, "unknown", second.digest]);
      expect(new Map(found.map((key) => [key.digest, key]))).toEqual(
        new Map([
          [digest, { ...kept, digest }],
          [second.digest, { ...second, revokedAt: NOW + 5, lastUsedAt: undefined }],
        ]),
      );
      expect(await apiKeys.findByDigests([])).toEqual([]);
    });

    test("lists unrevoked keys, newest first, of one workspace", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      for (const name of ["a", "b", "c"])
        await storage.apiKeys.insert(newKey(name, { createdAt: NOW + name.charCodeAt(0) }));
      const foreign = await storage.apiKeys.insert(newKey("x", { workspaceId: other }));
      const list = async () => (await storage.apiKeys.list(workspaceId, { offset: 0, limit: 9 })).items;
      const b = (await list()).find((key) => key.name === "b");
      expect(await storage.apiKeys.revoke(other, b?.id ?? "", NOW)).toBe(false);
      expect(await storage.apiKeys.revoke(workspaceId, b?.id ?? "", NOW)).toBe(true);
      expect(await storage.apiKeys.revoke(workspaceId, b?.id ?? "", NOW)).toBe(false);
      expect((await list()).map((key) => key.name)).toEqual(["c", "a", "Test"]);
      expect(await storage.apiKeys.find(workspaceId, foreign.id)).toBeUndefined();
      expect((await storage.apiKeys.find(other, foreign.id))?.name).toBe("x");
    });

    test("counts a workspace's keys that are neither revoked nor expired", async () => {
      const { storage, workspaceId } = world();
      await storage.apiKeys.insert(newKey("expired", { expiresAt: NOW }));
      await storage.apiKeys.insert(newKey("valid", { expiresAt: NOW + 1 }));
      const revoked = await storage.apiKeys.insert(newKey("revoked"));
      await storage.apiKeys.revoke(workspaceId, revoked.id, NOW);
      await storage.apiKeys.insert(newKey("another's", { workspaceId: await world().addWorkspace("Other") }));
      expect(await storage.apiKeys.countUsable(workspaceId, NOW)).toBe(2);
    });

    test("returns each key that is about to expire once, and lists which expire", async () => {
      const { storage, workspaceId } = world();
      const { apiKeys } = storage;
      const day = 86_400_000;
      const ends = (name: string, days: number) =>
        apiKeys.insert(newKey(name, { expiresAt: NOW + days * day }));
      const second = await ends("second", 91);
      const first = await ends("first", 90);
      const short = await ends("short", 2);
      const revoked = await ends("revoked", 90);
      await apiKeys.revoke(workspaceId, revoked.id, NOW);
      await ends("later", 92);
      expect(await apiKeys.takeExpiring(NOW + day - 1, 9)).toEqual([]);
      expect(await apiKeys.takeExpiring(NOW + day, 9)).toEqual([short]);
      const now = NOW + 77 * day;
      await expect(
        storage.transaction(async (within) => {
          await within.apiKeys.takeExpiring(now, 9);
          throw new Error("undone");
        }),
      ).rejects.toThrow("undone");
      const taking = Array.from({ length: 3 }, () =>
        storage.transaction((within) => within.apiKeys.takeExpiring(now, 1)),
      );
      const atOnce = (await Promise.all(taking)).flat();
      // Keys that were taken before take nobody's place.
      expect(atOnce).not.toEqual([]);
      const taken = [...atOnce, ...(await apiKeys.takeExpiring(now, 9))];
      expect(taken.map(({ name }) => name).sort()).toEqual(["first", "second"]);
      expect(await apiKeys.listExpiring(NOW + 2 * day, NOW + 91 * day, 9)).toEqual([first, second]);
      expect(await apiKeys.listExpiring(NOW + 2 * day - 1, NOW + 91 * day, 1)).toEqual([short]);
    });

    test("records when keys were last used, and never moves back", async () => {
      const { storage, workspaceId, apiKeyId } = world();
      const other = await storage.apiKeys.insert(newKey("other"));
      await storage.apiKeys.touch([apiKeyId], NOW + 5);
      await storage.apiKeys.touch([apiKeyId], NOW + 4);
      await storage.apiKeys.touch([], NOW);
      expect((await storage.apiKeys.find(workspaceId, apiKeyId))?.lastUsedAt).toBe(NOW + 5);
      expect((await storage.apiKeys.find(workspaceId, other.id))?.lastUsedAt).toBeUndefined();
    });
  });
}
