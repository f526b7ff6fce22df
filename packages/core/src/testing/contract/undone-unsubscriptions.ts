import { describe, expect, test } from "vitest";
import type { ErasedPerson, Storage, Suppression } from "../../ports/storage.ts";
import { DAY, NOW, nextId, useSendingWorld } from "./sending-world.ts";
import { newSuppression } from "./walked-rows.ts";

/** The contract of unsubscriptions that are undone: what they replaced stands again. */
export const describeUndoneUnsubscriptions = (open: () => Promise<Storage>): void => {
  describe("undone unsubscriptions", () => {
    const world = useSendingWorld(open);

    const entry = (address: string, over: Partial<Suppression> = {}): Suppression => ({
      ...newSuppression(world().workspaceId, address),
      ...over,
    });
    const put = async (...entries: Suppression[]) =>
      (await world().storage.suppressions.put(entries, NOW)).map(({ outcome }) => outcome);
    const named = (addressKey: string, scope = "*") => ({ addressKey, scope });

    test("what an unsubscription replaced is put back unless it has ended", async () => {
      const { storage, workspaceId } = world();
      const name = { ...named("ada@example.com"), scope: "news" };
      const restore = (now: number, key = name) =>
        storage.suppressions.restoreReplaced(workspaceId, key, now);
      const ada = { name: "Ada", email: "ada@shop.example", passwordHash: "", emailVerifiedAt: undefined };
      const user = { ...ada, isAdmin: false, isVouchedFor: true, createdAt: NOW };
      const { id: createdBy } = await storage.users.insert(user);
      const details = { reason: "a break", emailId: nextId(), createdBy, createdAt: NOW - DAY };
      const brief = entry("ada@example.com", { scope: "news", expiresAt: NOW + DAY, ...details });
      await put(brief);
      expect(await restore(NOW)).toBeUndefined();
      const left = { origin: "unsubscribe", reason: "", createdBy: undefined, createdAt: NOW } as const;
      await put({ ...brief, ...left, emailId: nextId(), expiresAt: undefined });
      expect(await restore(NOW + DAY)).toBeUndefined();
      expect(await restore(NOW, named("ada@example.com"))).toBeUndefined();
      expect(await restore(NOW)).toEqual(brief);
      expect(await storage.suppressions.find(workspaceId, name, NOW)).toEqual(brief);
      expect(await restore(NOW)).toBeUndefined();
      await put({ ...brief, ...left, expiresAt: undefined });
      await storage.users.delete(createdBy);
      expect(await restore(NOW)).toEqual({ ...brief, createdBy: undefined });
    });

    test("what is put back leaves the entries of other addresses, scopes and workspaces", async () => {
      const { storage, workspaceId, addWorkspace } = world();
      const other = await addWorkspace("Other");
      const replaced = async (address: string, over: Partial<Suppression> = {}) => {
        const ending = entry(address, { scope: "news", expiresAt: NOW + DAY, ...over });
        const lasting = { ...ending, origin: "unsubscribe" as const, expiresAt: undefined };
        await put(ending);
        expect(await put(lasting)).toEqual(["updated"]);
        return lasting;
      };
      const others = [
        await replaced("ada@example.com", { workspaceId: other }),
        await replaced("bob@example.com"),
        await replaced("ada@example.com", { scope: "offers" }),
      ];
      const own = await replaced("ada@example.com");
      expect(await storage.suppressions.restoreReplaced(workspaceId, own, NOW)).toMatchObject({
        ...named("ada@example.com", "news"),
        workspaceId,
        origin: "manual",
      });
      for (const each of others)
        expect(await storage.suppressions.find(each.workspaceId, each, NOW)).toEqual(each);
      const kept = entry("eve@example.com", { scope: "news", origin: "complaint" });
      await put({ ...kept, origin: "bounce", expiresAt: NOW + DAY });
      expect(await put(kept)).toEqual(["updated"]);
      expect(await storage.suppressions.restoreReplaced(workspaceId, kept, NOW)).toBeUndefined();
    });

    test("what an erasure has left of it is put back, without its reason", async () => {
      const { storage, workspaceId } = world();
      const ada = "ada@example.com";
      const person: ErasedPerson = {
        ...{ workspaceId, address: ada, addressKey: ada, erasedAs: "erased-0123abcd@invalid" },
      };
      const brief = entry(ada, { scope: "news", reason: `${ada} asked`, expiresAt: NOW + DAY });
      await put(brief);
      await put({ ...brief, origin: "unsubscribe", reason: "", expiresAt: undefined });
      await storage.recipients.hashSuppressions(person, "sha256:x");
      const name = named("sha256:x", "news");
      expect(await storage.suppressions.restoreReplaced(workspaceId, name, NOW)).toEqual({
        ...brief,
        ...{ addressKey: "sha256:x", address: person.erasedAs, reason: "" },
      });
    });
  });
};
