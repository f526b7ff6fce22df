import { describe, expect, test } from "vitest";
import { type Domain, type Storage, type StoredDkimKey, UniqueViolation } from "../../ports/storage.ts";
import { NOW, nextId, useSendingWorld } from "./sending-world.ts";

const key = (
  selector: string,
  state: StoredDkimKey["state"],
  over: Partial<StoredDkimKey> = {},
): StoredDkimKey => ({
  selector,
  algorithm: "rsa-2048",
  isPublished: false,
  privateKey: `sealed ${selector}`,
  publicKey: `public ${selector}`,
  state,
  createdAt: NOW,
  activatedAt: state === "active" ? NOW : undefined,
  retiredAt: undefined,
  ...over,
});

/** The contract of `Domains`. */
export function describeDomains(open: () => Promise<Storage>): void {
  describe("domains", () => {
    const world = useSendingWorld(open);
    const add = (over: Partial<Domain> = {}): Promise<Domain> =>
      world().storage.domains.insert({
        id: nextId(),
        workspaceId: world().workspaceId,
        name: "shop.example",
        organisation: "shop.example",
        token: "token",
        includeSubdomains: false,
        returnPath: "bounces",
        tracking: undefined,
        tls: "opportunistic",
        keys: [key("a", "active"), key("b", "standby")],
        nextCheckAt: NOW + 60,
        createdAt: NOW,
        ...over,
      });

    test("a domain is found as created, in its own workspace only, and its name is unique", async () => {
      const { storage, workspaceId, addWorkspace } = world();
      const other = await addWorkspace("Other");
      const made = await add();
      expect(made).toEqual({
        id: made.id,
        workspaceId,
        name: "shop.example",
        organisation: "shop.example",
        token: "token",
        status: "pending",
        statusSince: NOW,
        statusReason: "",
        includeSubdomains: false,
        returnPath: "bounces",
        returnPathVerified: false,
        tracking: undefined,
        trackingVerified: false,
        tls: "opportunistic",
        findings: { records: [] },
        keys: [key("a", "active"), key("b", "standby")],
        verifiedAt: undefined,
        checkedAt: undefined,
        nextCheckAt: NOW + 60,
        rotationToldAt: undefined,
        createdAt: NOW,
        updatedAt: NOW,
      });
      expect(await storage.domains.find(workspaceId, made.id)).toEqual(made);
      expect(await storage.transaction((tx) => tx.domains.lock(workspaceId, made.id))).toEqual(made);
      expect(await storage.domains.find(other, made.id)).toBeUndefined();
      expect(await storage.domains.update(other, made.id, { status: "failed" })).toBeUndefined();
      expect(await storage.domains.delete(other, made.id)).toBe(false);
      await expect(add()).rejects.toMatchObject({ constraint: "domains.name" });
      await expect(add()).rejects.toBeInstanceOf(UniqueViolation);
      await add({ workspaceId: other });
    });

    test("lists the newest first, in pages", async () => {
      const { storage, workspaceId } = world();
      for (const name of ["c.example", "a.example", "b.example"]) await add({ name });
      const { items, total } = await storage.domains.list(workspaceId, { offset: 1, limit: 5 });
      expect([items.map(({ name }) => name), items[0]?.keys.length, total]).toEqual([
        ["a.example", "c.example"],
        2,
        3,
      ]);
    });

    test("finds by names whatever the status, in its own workspace", async () => {
      const { storage, workspaceId, addWorkspace } = world();
      const other = await addWorkspace("Other");
      for (const name of ["a.example", "b.example"]) await add({ name });
      await add({ name: "c.example", workspaceId: other });
      const asked = ["a.example", "c.example", "d.example"];
      expect(await storage.domains.listNamed(workspaceId, asked)).toEqual([
        { name: "a.example", status: "pending", includeSubdomains: false, findings: { records: [] } },
      ]);
      expect(await storage.domains.listNamed(workspaceId, [])).toEqual([]);
    });

    test("changes the given fields only; undefined clears", async () => {
      const { storage, workspaceId } = world();
      const made = await add();
      const findings: Domain["findings"] = {
        zone: "shop.example",
        records: [
          { purpose: "spf", type: "TXT", name: "shop.example", status: "ok", found: ["x"], hint: "" },
        ],
      };
      const changes = { status: "warning", statusReason: "r", findings, checkedAt: NOW + 1 } as const;
      expect(await storage.domains.update(workspaceId, made.id, changes)).toEqual({ ...made, ...changes });
      const emptied = await storage.domains.update(workspaceId, made.id, { nextCheckAt: undefined });
      expect(emptied).toEqual({ ...made, ...changes, nextCheckAt: undefined });
    });

    test("rotates: retires the active key without its private part, activates the standby, adds the next", async () => {
      const { storage, workspaceId } = world();
      const made = await add();
      await storage.transaction((tx) => tx.domains.rotate(made, [key("c", "standby")], NOW + 5));
      const rotated = await storage.domains.find(workspaceId, made.id);
      expect(rotated?.keys).toEqual([
        key("a", "retired", { privateKey: "", activatedAt: NOW, retiredAt: NOW + 5 }),
        key("b", "active", { activatedAt: NOW + 5 }),
        key("c", "standby"),
      ]);
      await storage.domains.deleteRetired(made, NOW + 5);
      expect((await storage.domains.find(workspaceId, made.id))?.keys).toHaveLength(3);
      await storage.domains.deleteRetired(made, NOW + 6);
      expect((await storage.domains.find(workspaceId, made.id))?.keys).toHaveLength(2);
    });

    test("what is done to one domain leaves the others", async () => {
      const { domains } = world().storage;
      const other = await add();
      const made = await add({ name: "mail.example" });
      await domains.rotate(other, [key("c", "standby")], NOW + 5);
      const before = await domains.find(other.workspaceId, other.id);
      await domains.notePublished(made, [{ selector: "b", isPublished: true }]);
      await domains.rotate(made, [key("c", "standby")], NOW + 6);
      await domains.deleteRetired(made, NOW + 9);
      expect(await domains.delete(made.workspaceId, made.id)).toBe(true);
      expect(await domains.find(other.workspaceId, other.id)).toEqual(before);
    });

    test("rotates the keys of one algorithm and leaves the other's", async () => {
      const { storage, workspaceId } = world();
      const ed = { algorithm: "ed25519" } as const;
      const made = await add({
        keys: [key("a", "active"), key("b", "standby"), key("e", "active", ed), key("f", "standby", ed)],
      });
      const states = async () => {
        const { keys = [] } = (await storage.domains.find(workspaceId, made.id)) ?? {};
        return keys.map(({ selector, state }) => `${selector} ${state}`).join(", ");
      };
      await storage.domains.rotate(made, [key("c", "standby")], NOW + 5);
      expect(await states()).toBe("a retired, b active, e active, f standby, c standby");
      await storage.domains.rotate(made, [key("d", "standby"), key("g", "standby", ed)], NOW + 6);
      expect(await states()).toBe(
        "a retired, b retired, e retired, f active, c active, d standby, g standby",
      );
    });

    test("a sending domain has its RSA key, its Ed25519 key once published, and its return path once verified", async () => {
      const { storage, workspaceId, addWorkspace } = world();
      const other = await addWorkspace("Other");
      const made = await add({
        keys: [key("e", "active", { algorithm: "ed25519" }), key("a", "active"), key("b", "standby")],
        returnPath: "r",
        tls: "required",
      });
      await storage.domains.update(workspaceId, made.id, { status: "verified" });
      const told = async () => (await storage.domains.listSending([workspaceId], ["shop.example"]))[0];
      const known = async () => [
        await storage.domains.isReturnPath("r.shop.example"),
        await storage.domains.hasReturnPath(workspaceId),
        await storage.domains.hasReturnPath(other),
      ];
      await storage.domains.notePublished(made, [{ selector: "b", isPublished: true }]);
      expect(await told()).toMatchObject({
        tls: "required",
        returnPathDomain: undefined,
        keys: [{ selector: "a", privateKey: "sealed a" }],
      });
      expect(await known()).toEqual([false, false, false]);
      await storage.domains.notePublished(made, [{ selector: "e", isPublished: true }]);
      await storage.domains.update(workspaceId, made.id, { returnPathVerified: true });
      expect(await told()).toMatchObject({
        returnPathDomain: "r.shop.example",
        keys: [{ selector: "a" }, { selector: "e", privateKey: "sealed e" }],
      });
      expect(await known()).toEqual([true, true, false]);
      await storage.domains.update(workspaceId, made.id, { returnPath: "s" });
      expect((await told())?.returnPathDomain).toBe("s.shop.example");
      expect(await storage.domains.isReturnPath("r.shop.example")).toBe(false);
      await storage.domains.update(workspaceId, made.id, { status: "failed" });
      expect(await storage.domains.hasReturnPath(workspaceId)).toBe(false);
    });

    test("a sending domain has its tracking host once that is verified", async () => {
      const { storage, workspaceId } = world();
      const made = await add({ tracking: "click.mail" });
      const { domains } = storage;
      const change = (changes: Partial<Domain>) => domains.update(workspaceId, made.id, changes);
      const known = async (host: string) => [
        (await domains.listSending([workspaceId], ["shop.example"])).map((one) => one.trackingDomain),
        await domains.isTrackingHost(host),
      ];
      expect(made).toMatchObject({ tracking: "click.mail", trackingVerified: false });
      await change({ status: "verified" });
      expect(await known("click.mail.shop.example")).toEqual([[undefined], false]);
      await change({ trackingVerified: true });
      expect(await known("click.mail.shop.example")).toEqual([["click.mail.shop.example"], true]);
      expect(await change({ tracking: "t" })).toMatchObject({ tracking: "t", trackingVerified: true });
      expect(await known("click.mail.shop.example")).toEqual([["t.shop.example"], false]);
      expect(await known("t.shop.example")).toEqual([["t.shop.example"], true]);
      await change({ status: "failed" });
      expect(await known("t.shop.example")).toEqual([[], false]);
      const emptied = await change({ status: "verified", tracking: undefined, trackingVerified: false });
      expect([emptied?.tracking, await known("t.shop.example")]).toEqual([undefined, [[undefined], false]]);
    });

    test("lists the domains that may be sent from, with the key that signs", async () => {
      const { storage, workspaceId, addWorkspace } = world();
      const other = await addWorkspace("Other");
      const made = new Map<string, Domain>();
      for (const status of ["pending", "verified", "warning", "failed"] as const) {
        const domain = await add({ name: `${status}.example` });
        await storage.domains.update(workspaceId, domain.id, { status });
        made.set(status, domain);
      }
      const names = [...made.values()].map(({ name }) => name);
      const found = await storage.domains.listSending([workspaceId, other], names);
      expect(found.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
        ["verified", "warning"].map((status) => ({
          workspaceId,
          id: made.get(status)?.id,
          name: `${status}.example`,
          includeSubdomains: false,
          returnPathDomain: undefined,
          trackingDomain: undefined,
          tls: "opportunistic",
          keys: [{ selector: "a", privateKey: "sealed a" }],
        })),
      );
      expect(await storage.domains.listSending([other], names)).toEqual([]);
      expect(await storage.domains.listSending([workspaceId], ["other.example"])).toEqual([]);
    });

    test("claims due domains once, longest due first", async () => {
      const { storage } = world();
      const late = await add({ name: "a.example", nextCheckAt: NOW });
      const soon = await add({ nextCheckAt: NOW - 9 });
      await add({ name: "b.example", nextCheckAt: NOW + 1 });
      await add({ name: "c.example", nextCheckAt: undefined });
      expect(await storage.domains.nextDueAt()).toBe(NOW - 9);
      const taken = (
        await Promise.all([1, 2, 3].map(() => storage.domains.takeDue(NOW, NOW + 50, 1)))
      ).flat();
      expect(taken.map(({ id }) => id).sort()).toEqual([late.id, soon.id].sort());
      expect(taken[0]?.keys).toHaveLength(2);
      expect(await storage.domains.nextDueAt()).toBe(NOW + 1);
      await storage.domains.release([soon.id], NOW);
      expect((await storage.domains.takeDue(NOW, NOW + 50, 9)).map(({ id }) => id)).toEqual([soon.id]);
    });

    test("planned checks can be made due at once, others stay", async () => {
      const { storage } = world();
      const [later, due] = [
        await add({ nextCheckAt: NOW + 9 }),
        await add({ name: "a.example", nextCheckAt: NOW - 9 }),
      ];
      const never = await add({ name: "b.example", nextCheckAt: undefined });
      await storage.domains.checkPlanned(NOW + 9, NOW);
      expect((await storage.domains.find(later.workspaceId, later.id))?.nextCheckAt).toBe(NOW + 9);
      await storage.domains.checkPlanned(NOW, NOW);
      const planned = async ({ workspaceId, id }: typeof later) =>
        (await storage.domains.find(workspaceId, id))?.nextCheckAt;
      expect([await planned(later), await planned(due), await planned(never)]).toEqual([
        NOW,
        NOW - 9,
        undefined,
      ]);
    });

    test("deleting a domain deletes its keys, and so does deleting its workspace", async () => {
      const { storage, workspaceId, addWorkspace } = world();
      const made = await add();
      expect(await storage.domains.delete(workspaceId, made.id)).toBe(true);
      expect(await storage.domains.delete(workspaceId, made.id)).toBe(false);
      const other = await addWorkspace("Other");
      const theirs = await add({ workspaceId: other });
      await storage.workspaces.delete(other);
      expect(await storage.domains.find(other, theirs.id)).toBeUndefined();
      expect(await storage.domains.nextDueAt()).toBeUndefined();
    });
  });
}
