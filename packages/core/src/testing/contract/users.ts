import { describe, expect, test } from "vitest";
import { type Storage, UniqueViolation } from "../../ports/storage.ts";
import { race, usePeopleWorld, winners } from "./people-world.ts";
import { NOW } from "./sending-world.ts";

const MINUTE = 60_000;

/** The contract of users and their two-factor login. */
export const describeUsers = (open: () => Promise<Storage>): void => {
  describe("users", () => {
    const world = usePeopleWorld(open);

    test("a user is found by id, and by the address in any case", async () => {
      const { storage, addUser } = world();
      const ann = await addUser("Ann@Example.com");
      expect(ann).toMatchObject({ email: "Ann@Example.com", isAdmin: false, planId: undefined });
      expect(await storage.users.find(ann.id)).toEqual(ann);
      expect(await storage.users.lock(ann.id)).toEqual(ann);
      expect(await storage.users.findByEmail("aNN@example.COM")).toEqual(ann);
      expect(await storage.users.findByEmail("bob@example.com")).toBeUndefined();
      // LONG S is not an "s", and KELVIN SIGN not a "k", although lower-casing converts them.
      const kim = await addUser("kim@outlook.test");
      expect(await storage.users.findByEmail("KIM@OUTLOOK.TEST")).toEqual(kim);
      expect(await storage.users.findByEmail("\u212aim@outlook.test")).toBeUndefined();
      expect(await storage.users.find(kim.id + 1)).toBeUndefined();
    });

    test("what is written of one user changes no other", async () => {
      const { storage, addUser } = world();
      const { users } = storage;
      const [bob, ann, cid] = [
        await addUser("bob@example.com"),
        await addUser("ann@example.com"),
        await addUser("cid@example.com"),
      ];
      const pending = { secret: "s", expiresAt: NOW + MINUTE };
      await users.setPendingTotp(bob.id, pending);
      await users.enableTotp(bob.id, "s", 1, NOW);
      await users.replaceRecoveryCodes(bob.id, ["a", "b"]);
      await users.setPendingTotp(cid.id, pending);
      const others = () => Promise.all([users.find(bob.id), users.find(cid.id)]);
      const before = await others();
      expect(before.map((user) => user?.id)).toEqual([bob.id, cid.id]);
      await users.setPendingTotp(ann.id, pending);
      expect(await users.enableTotp(ann.id, "s", 7, NOW)).toBe(true);
      expect(await users.consumeTotpStep(ann.id, 8)).toBe(true);
      expect(await users.consumeTotpStep(bob.id, 2)).toBe(true);
      await users.replaceRecoveryCodes(ann.id, ["a", "c"]);
      expect(await users.consumeRecoveryCode(ann.id, "b")).toBe(false);
      expect(await users.consumeRecoveryCode(ann.id, "a")).toBe(true);
      expect(await users.disableTotp(ann.id)).toBe(true);
      await users.setPendingTotp(ann.id, undefined);
      expect(await users.update(ann.id, { name: "A", passwordHash: "x", externalId: "e" })).toMatchObject({
        id: ann.id,
        name: "A",
        passwordHash: "x",
        externalId: "e",
      });
      expect(await users.rename(ann.id, { name: "B", email: "ann@b.example" })).toMatchObject({ id: ann.id });
      expect(await users.lock(ann.id)).toMatchObject({ id: ann.id, name: "B" });
      expect(await others()).toEqual(before);
      expect(await users.consumeRecoveryCode(bob.id, "a")).toBe(true);
      expect(await users.consumeRecoveryCode(bob.id, "b")).toBe(true);
    });

    test("an address is unique, in any case, also with concurrent calls", async () => {
      const { storage, addUser } = world();
      const outcomes = await race((index) =>
        addUser(index % 2 ? "ann@example.com" : "ANN@example.com").then(
          () => undefined,
          (error: unknown) => error,
        ),
      );
      const errors = outcomes.filter((outcome) => outcome !== undefined);
      expect(errors).toHaveLength(49);
      for (const error of errors) {
        expect(error).toBeInstanceOf(UniqueViolation);
        expect(error).toMatchObject({ constraint: "users.email" });
      }
      expect((await storage.users.list({ q: undefined }, { offset: 0, limit: 10 })).total).toBe(1);
    });

    test("a user is found by the exact external id, and concurrent inserts create one", async () => {
      const { storage } = world();
      const given = {
        name: "Ann",
        email: "ann@example.com",
        externalId: "Crm-1",
        passwordHash: undefined,
        emailVerifiedAt: NOW,
        isAdmin: false,
        createdAt: NOW,
      };
      const made = await race(() => storage.users.insertUnlessThere(given));
      const [ann, ...more] = made.filter((user) => user !== undefined);
      expect(more).toEqual([]);
      expect(ann).toMatchObject({ externalId: "Crm-1", passwordHash: undefined });
      expect(await storage.users.findByExternalId("Crm-1")).toEqual(ann);
      expect(await storage.users.findByExternalId("crm-1")).toBeUndefined();
      const other = { ...given, externalId: "Crm-2" };
      expect(await storage.users.insertUnlessThere(other)).toBeUndefined();
      await expect(storage.users.insert({ ...given, email: "bob@example.com" })).rejects.toMatchObject({
        constraint: "users.external_id",
      });
    });

    test("a refused insert leaves the transaction usable", async () => {
      const { storage, addUser } = world();
      const ann = await addUser("ann@example.com");
      const found = await storage.transaction(async (within) => {
        const { id: _, ...again } = ann;
        expect(await within.users.insertUnlessThere(again)).toBeUndefined();
        return await within.users.rename(ann.id, { name: "Anna", email: "Anna@example.com" });
      });
      expect(found).toEqual({ ...ann, name: "Anna", email: "Anna@example.com" });
      expect(await storage.users.findByEmail("anna@example.com")).toEqual(found);
      expect(await storage.users.findByEmail("ann@example.com")).toBeUndefined();
      expect(await storage.users.list({ q: "anna" }, { offset: 0, limit: 1 })).toMatchObject({ total: 1 });
      const bob = await addUser("bob@example.com");
      await expect(
        storage.users.rename(bob.id, { name: "Bob", email: "ANNA@example.com" }),
      ).rejects.toMatchObject({ constraint: "users.email" });
    });

    test("the list is newest first, and searches name and address literally", async () => {
      const { storage, addUser } = world();
      const ann = await addUser("ann@example.com", { name: "Ann 100%" });
      const bob = await addUser("bob@example.com", { name: "Bob" });
      const eve = await addUser("eve@other.com", { name: "Eve_O'Neil\\" });
      const list = async (q: string | undefined, offset = 0, limit = 10) =>
        storage.users.list({ q }, { offset, limit });
      expect(await list(undefined)).toMatchObject({ items: [eve, bob, ann], total: 3 });
      expect(await list(undefined, 1, 1)).toMatchObject({ items: [bob], total: 3 });
      expect(await list("EXAMPLE")).toMatchObject({ items: [bob, ann], total: 2 });
      expect(await list("100%")).toMatchObject({ items: [ann], total: 1 });
      expect(await list("e_o'neil\\")).toMatchObject({ items: [eve], total: 1 });
      expect(await list("b_b")).toMatchObject({ items: [], total: 0 });
    });

    test("only the given fields change, and a new name can be searched for", async () => {
      const { storage, addUser } = world();
      const ann = await addUser("Ann@example.com");
      expect(await storage.users.update(ann.id, { name: "Anna Ö", emailVerifiedAt: NOW })).toEqual({
        ...ann,
        name: "Anna Ö",
        emailVerifiedAt: NOW,
      });
      expect((await storage.users.list({ q: "anna ö" }, { offset: 0, limit: 1 })).total).toBe(1);
      expect((await storage.users.list({ q: "ann@" }, { offset: 0, limit: 1 })).total).toBe(1);
      const promoted = await storage.users.update(ann.id, { isAdmin: true, emailVerifiedAt: undefined });
      expect(promoted).toMatchObject({ name: "Anna Ö", isAdmin: true, emailVerifiedAt: undefined });
      expect(await storage.users.update(ann.id, {})).toEqual(promoted);
      expect(await storage.users.update(ann.id + 1, { name: "Nobody" })).toBeUndefined();
    });

    test("a user is an administrator as long as the row says so", async () => {
      const { storage, addUser } = world();
      const [ann, bob] = [
        await addUser("ann@example.com", { isAdmin: true }),
        await addUser("bob@example.com"),
      ];
      const looked = await storage.transaction(async ({ users }) => {
        const before = [await users.lockAdministrator(ann.id), await users.lockAdministrator(bob.id)];
        await users.update(ann.id, { isAdmin: false });
        return [...before, await users.lockAdministrator(ann.id)];
      });
      expect(looked).toEqual([true, false, false]);
      expect(await storage.users.lockAdministrator(bob.id + 1)).toBe(false);
    });

    test("a pending secret becomes the user's once, if it is the latest and has not expired", async () => {
      const { storage, addUser } = world();
      const { id } = await addUser("ann@example.com");
      await storage.users.setPendingTotp(id, { secret: "old", expiresAt: NOW + MINUTE });
      await storage.users.setPendingTotp(id, { secret: "new", expiresAt: NOW + MINUTE });
      expect(await storage.users.enableTotp(id, "old", 1, NOW)).toBe(false);
      expect(await storage.users.enableTotp(id, "new", 1, NOW + MINUTE)).toBe(false);
      expect(winners(await race(() => storage.users.enableTotp(id, "new", 1, NOW)))).toBe(1);
      expect(await storage.users.find(id)).toMatchObject({
        totpSecret: "new",
        twoFactorEnabledAt: NOW,
        pendingTotpSecret: undefined,
        pendingTotpExpiresAt: undefined,
      });
      await storage.users.setPendingTotp(id, { secret: "third", expiresAt: NOW + MINUTE });
      expect(await storage.users.enableTotp(id, "third", 1, NOW)).toBe(false);
    });

    test("a time step is accepted once, and none before it afterwards", async () => {
      const { storage, addUser } = world();
      const { id } = await addUser("ann@example.com");
      expect(winners(await race(() => storage.users.consumeTotpStep(id, 7)))).toBe(1);
      expect(await storage.users.consumeTotpStep(id, 6)).toBe(false);
      expect(await storage.users.consumeTotpStep(id, 8)).toBe(true);
    });

    test("a recovery code is accepted once, and new ones replace the old", async () => {
      const { storage, addUser } = world();
      const { id } = await addUser("ann@example.com");
      await storage.users.replaceRecoveryCodes(id, ["a", "b"]);
      expect(winners(await race(() => storage.users.consumeRecoveryCode(id, "a")))).toBe(1);
      await storage.users.replaceRecoveryCodes(id, ["c"]);
      expect(await storage.users.consumeRecoveryCode(id, "b")).toBe(false);
      expect(await storage.users.consumeRecoveryCode(id, "c")).toBe(true);
    });

    test("disabling deletes the secret, the last step and the codes", async () => {
      const { storage, addUser } = world();
      const { id } = await addUser("ann@example.com");
      await storage.users.setPendingTotp(id, { secret: "s", expiresAt: NOW + MINUTE });
      await storage.users.enableTotp(id, "s", 9, NOW);
      await storage.users.replaceRecoveryCodes(id, ["a"]);
      expect(await storage.users.disableTotp(id)).toBe(true);
      expect(await storage.users.disableTotp(id)).toBe(false);
      expect(await storage.users.find(id)).toMatchObject({
        totpSecret: undefined,
        twoFactorEnabledAt: undefined,
      });
      expect(await storage.users.consumeRecoveryCode(id, "a")).toBe(false);
      expect(await storage.users.consumeTotpStep(id, 1)).toBe(true);
    });
  });
};
