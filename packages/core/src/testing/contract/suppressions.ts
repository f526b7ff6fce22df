import { describe, expect, test } from "vitest";
import type { Storage, Suppression } from "../../ports/storage.ts";
import { DAY, NOW, newEmail, nextId, useSendingWorld } from "./sending-world.ts";
import { newSuppression } from "./walked-rows.ts";

/** The contract of suppressions: one per address and scope, of which the one that lasts longest is kept. */
export const describeSuppressions = (open: () => Promise<Storage>): void => {
  describe("suppressions", () => {
    const world = useSendingWorld(open);

    const entry = (address: string, over: Partial<Suppression> = {}): Suppression => ({
      ...newSuppression(world().workspaceId, address),
      ...over,
    });
    const put = async (...entries: Suppression[]) =>
      (await world().storage.suppressions.put(entries, NOW)).map(({ outcome }) => outcome);
    const named = (addressKey: string, scope = "*") => ({ addressKey, scope });

    test("an entry is stored as given, found by address and scope, and not in another workspace", async () => {
      const { storage, workspaceId, addWorkspace } = world();
      const full = entry("Ada@example.com", {
        scope: "news",
        origin: "complaint",
        reason: "pressed the button",
        emailId: nextId(),
        expiresAt: NOW + DAY,
      });
      expect(await put(full)).toEqual(["added"]);
      const name = named("ada@example.com", "news");
      expect(await storage.suppressions.find(workspaceId, name, NOW)).toEqual(full);
      expect(await storage.suppressions.find(workspaceId, named("ada@example.com"), NOW)).toBeUndefined();
      const other = await addWorkspace("Other");
      expect(await storage.suppressions.find(other, name, NOW)).toBeUndefined();
      expect(await storage.suppressions.delete(other, name, NOW)).toBeUndefined();
      const others = ["*", "news"].map((scope) => entry("bob@example.com", { scope }));
      others.push({ ...full, scope: "*" });
      await put({ ...full, workspaceId: other }, ...others);
      expect(await storage.suppressions.delete(workspaceId, name, NOW + DAY)).toBeUndefined();
      expect(await storage.suppressions.delete(workspaceId, name, NOW)).toEqual(full);
      expect(await storage.suppressions.delete(workspaceId, name, NOW)).toBeUndefined();
      expect(await storage.suppressions.find(other, name, NOW)).toBeDefined();
      for (const kept of others)
        expect(await storage.suppressions.find(workspaceId, kept, NOW)).toEqual(kept);
    });

    test("an entry is replaced only by one that lasts longer", async () => {
      const { storage, workspaceId } = world();
      const soft = entry("ada@example.com", { origin: "bounce", expiresAt: NOW + DAY });
      await put(soft);
      expect(await put({ ...soft, origin: "import" })).toEqual(["unchanged"]);
      expect(await put({ ...soft, expiresAt: NOW + DAY - 1 })).toEqual(["unchanged"]);
      const longer = { ...soft, origin: "manual", expiresAt: NOW + 2 * DAY } as const;
      const hard = { ...soft, origin: "complaint", expiresAt: undefined } as const;
      const other = entry("bob@example.com");
      expect(await storage.suppressions.put([other, longer], NOW)).toEqual([
        { outcome: "added" },
        { outcome: "updated", former: { origin: "bounce", expiresAt: NOW + DAY } },
      ]);
      expect(await storage.suppressions.put([hard, other], NOW)).toEqual([
        { outcome: "updated", former: { origin: "manual", expiresAt: NOW + 2 * DAY } },
        { outcome: "unchanged" },
      ]);
      expect(await put({ ...soft, origin: "manual", expiresAt: undefined })).toEqual(["unchanged"]);
      const found = await storage.suppressions.find(workspaceId, named("ada@example.com"), NOW);
      expect(found).toMatchObject({ origin: "complaint", expiresAt: undefined });
    });

    test("a complaint takes the place of an entry of another origin that lasts as long, and keeps it", async () => {
      const { storage, workspaceId } = world();
      const manual = entry("ada@example.com");
      const complaint = entry("ada@example.com", { origin: "complaint", reason: "abuse", emailId: nextId() });
      const find = () => storage.suppressions.find(workspaceId, named("ada@example.com"), NOW);
      await put(manual);
      expect(await storage.suppressions.put([complaint], NOW)).toEqual([
        { outcome: "updated", former: { origin: "manual", expiresAt: undefined } },
      ]);
      expect(await find()).toEqual(complaint);
      expect(await put(manual, { ...complaint, reason: "again" })).toEqual(["unchanged", "unchanged"]);
      expect(await find()).toEqual(complaint);
      const both = [entry("bob@example.com"), entry("bob@example.com", { origin: "complaint" })];
      expect(await put(...both)).toEqual(["unchanged", "added"]);
      // One that ends first would shorten what stands.
      expect(await put({ ...complaint, ...named("eve@example.com") }, entry("eve@example.com"))).toEqual([
        "added",
        "unchanged",
      ]);
      await put(entry("joe@example.com"));
      expect(await put(entry("joe@example.com", { origin: "complaint", expiresAt: NOW + DAY }))).toEqual([
        "unchanged",
      ]);
    });

    test.each([1, 2, 4, 5])("a look-up of %i addresses finds each entry, and no other", async (count) => {
      const { suppressions } = world().storage;
      const named = (count: number) => Array.from({ length: count }, (_, at) => `${at}@example.com`);
      await put(...named(6).map((address) => entry(address)));
      const other = await world().addWorkspace("Other");
      const under = (workspaceId: number) =>
        suppressions.findUnder(named(count).map((addressKey) => ({ workspaceId, addressKey })));
      const found = await under(world().workspaceId);
      expect(found.map(({ addressKey }) => addressKey).toSorted()).toEqual(named(count));
      expect(await under(other)).toEqual([]);
    });

    test("an expired entry is not listed, and a new one is added in its place", async () => {
      const { storage, workspaceId } = world();
      await put(entry("ada@example.com", { expiresAt: NOW + DAY }));
      const later = NOW + DAY;
      const { suppressions } = storage;
      expect(await suppressions.find(workspaceId, named("ada@example.com"), later)).toBeUndefined();
      expect((await suppressions.list({ workspaceId }, { offset: 0, limit: 10 }, later)).total).toBe(0);
      expect(await suppressions.listAfter(workspaceId, 0, 10, later)).toEqual([]);
      expect(await suppressions.put([entry("ada@example.com")], later)).toEqual([{ outcome: "added" }]);
      await put(entry("bob@example.com", { expiresAt: NOW + 1 }), entry("eve@example.com"));
      expect(await suppressions.deleteExpired(NOW + 2, 10)).toBe(1);
      expect((await suppressions.list({ workspaceId }, { offset: 0, limit: 10 }, NOW)).total).toBe(2);
    });

    test("of entries for one address in one call or at once, one is added", async () => {
      const one = entry("ada@example.com");
      const longest = entry("bob@example.com");
      expect(await put(one, one, { ...longest, expiresAt: NOW + DAY }, longest)).toEqual([
        "added",
        "unchanged",
        "unchanged",
        "added",
      ]);
      const rounds = await Promise.all(
        Array.from({ length: 12 }, (_, index) => {
          // Inserted in different orders, which must not deadlock.
          const both = [entry("x@example.com"), entry("y@example.com")];
          return put(...(index % 2 === 0 ? both : both.reverse()));
        }),
      );
      expect(rounds.flat().filter((outcome) => outcome === "added")).toHaveLength(2);
    });

    test("all scopes of the requested addresses are found at once, each workspace's separately", async () => {
      const { storage, workspaceId, addWorkspace } = world();
      const other = await addWorkspace("Other");
      await put(
        entry("ada@example.com"),
        entry("ada@example.com", { scope: "news" }),
        entry("@example.com", { scope: "offers" }),
        entry("bob@example.com"),
        entry("bob@example.com", { workspaceId: other, scope: "news" }),
      );
      const found = await storage.suppressions.findUnder([
        { workspaceId, addressKey: "ada@example.com" },
        { workspaceId, addressKey: "@example.com" },
        { workspaceId: other, addressKey: "bob@example.com" },
      ]);
      expect(
        found.map((one) => `${one.workspaceId === other} ${one.scope} ${one.addressKey}`).sort(),
      ).toEqual([
        "false * ada@example.com",
        "false news ada@example.com",
        "false offers @example.com",
        "true news bob@example.com",
      ]);
      expect(await storage.suppressions.findUnder([])).toEqual([]);
    });

    test("a transaction finds the entries that it put itself", async () => {
      const { storage, workspaceId } = world();
      const found = await storage.transaction(async ({ suppressions }) => {
        await suppressions.put([entry("ada@example.com")], NOW);
        return suppressions.findUnder([{ workspaceId, addressKey: "ada@example.com" }]);
      });
      expect(found).toHaveLength(1);
    });

    test("lists match the beginning of an address or of a domain, literally, and count the matches", async () => {
      const { storage, workspaceId } = world();
      await put(entry("ada@example.com", { origin: "bounce", createdAt: NOW - DAY }));
      await put(entry("adam_%@example.org", { scope: "news" }));
      await put(entry("zoe@other.example"));
      await put(entry("@example.com"));
      const find = async (filter: object, limit = 10, offset = 0) => {
        const found = await storage.suppressions.list({ workspaceId, ...filter }, { offset, limit }, NOW);
        const behind = await storage.suppressions.list(
          { workspaceId, ...filter },
          { offset: 10, limit },
          NOW,
        );
        expect(behind.total).toBe(found.total);
        return [found.total, ...found.items.map(({ address }) => address)];
      };
      expect(await find({})).toEqual([
        4,
        "@example.com",
        "zoe@other.example",
        "adam_%@example.org",
        "ada@example.com",
      ]);
      expect(await find({}, 1, 1)).toEqual([4, "zoe@other.example"]);
      expect(await find({ q: "ada" })).toEqual([2, "adam_%@example.org", "ada@example.com"]);
      expect(await find({ q: "adam_%" })).toEqual([1, "adam_%@example.org"]);
      expect(await find({ q: "da" })).toEqual([0]);
      expect(await find({ q: "@example.c" })).toEqual([2, "@example.com", "ada@example.com"]);
      expect(await find({ origin: "bounce" })).toEqual([1, "ada@example.com"]);
      expect(await find({ scope: "news" })).toEqual([1, "adam_%@example.org"]);
      expect(await find({ until: NOW })).toEqual([1, "ada@example.com"]);
      expect(await find({ from: NOW, q: "@example.com" })).toEqual([1, "@example.com"]);
    });

    test("all are read in pieces, each after the last of the previous one", async () => {
      const { storage, workspaceId } = world();
      await put(...["a", "b", "c"].map((name) => entry(`${name}@example.com`)));
      const [first, second] = await storage.suppressions.listAfter(workspaceId, 0, 2, NOW);
      expect([first?.address, second?.address]).toEqual(["a@example.com", "b@example.com"]);
      const rest = await storage.suppressions.listAfter(workspaceId, second?.cursor ?? 0, 2, NOW);
      expect(rest.map(({ address }) => address)).toEqual(["c@example.com"]);
    });

    test("deleting a workspace deletes its suppressions", async () => {
      const { storage, workspaceId } = world();
      await put(entry("ada@example.com"));
      await storage.workspaces.delete(workspaceId);
      const wanted = [{ workspaceId, addressKey: "ada@example.com" }];
      expect(await storage.suppressions.findUnder(wanted)).toEqual([]);
    });

    test("a suppressed recipient is settled from the start, and an e-mail with no other is never queued", async () => {
      const { storage, workspaceId } = world();
      const ada = { kind: "to", name: "", address: "ada@example.com", suppressedBy: "bounce" } as const;
      const some = newEmail(world(), {
        recipients: [ada, { kind: "cc", name: "", address: "bob@example.com" }],
      });
      const none = newEmail(world(), { recipients: [ada] });
      await storage.emails.insert([some, none]);
      expect(await storage.emails.recipients(some.id)).toMatchObject([
        { state: "suppressed", lastReply: "suppressed: bounce", attempts: 0, settledAt: NOW },
        { state: "pending", lastReply: "", settledAt: undefined },
      ]);
      expect((await storage.emails.find(workspaceId, some.id, NOW))?.status).toBe("queued");
      expect((await storage.emails.find(workspaceId, none.id, NOW))?.status).toBe("suppressed");
      expect((await storage.emailQueue.status(NOW)).due).toBe(1);
      const filter = { workspaceId, status: "suppressed" } as const;
      const listed = await storage.emails.list(filter, { offset: 0, limit: 9 }, NOW);
      expect([listed.total, listed.items.map(({ id }) => id)]).toEqual([1, [none.id]]);
    });
  });
};
