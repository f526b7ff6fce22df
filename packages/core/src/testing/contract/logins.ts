import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { race, usePeopleWorld, winners } from "./people-world.ts";
import { HOUR, NOW, nextId } from "./sending-world.ts";

/** The contract of sessions, e-mailed tokens, and rate limits against guessing. */
export const describeLogins = (open: () => Promise<Storage>): void => {
  describe("sessions", () => {
    const world = usePeopleWorld(open);

    const addSession = async (userId: number, expiresAt = NOW + HOUR) => {
      const session = {
        id: nextId(),
        userId,
        userAgent: "curl",
        ipAddress: "127.0.0.1",
        createdAt: NOW,
        expiresAt,
      };
      await world().storage.sessions.insert(session);
      return { ...session, revokedAt: undefined };
    };

    test("a session is found with its user, revoked and expired ones too", async () => {
      const { storage, addUser } = world();
      const user = { ...(await addUser("ann@example.com")), createdAt: NOW };
      const session = await addSession(user.id, NOW - 1);
      expect(await storage.sessions.findWithUser(session.id)).toEqual({ session, user });
      expect(await storage.sessions.revoke(user.id, session.id, NOW)).toBe(true);
      expect((await storage.sessions.findWithUser(session.id))?.session.revokedAt).toBe(NOW);
      expect(await storage.sessions.revoke(user.id, session.id, NOW + 5)).toBe(false);
      expect((await storage.sessions.findWithUser(session.id))?.session.revokedAt).toBe(NOW);
      expect(await storage.sessions.findWithUser(nextId())).toBeUndefined();
    });

    test("a session of another user is never revoked, nor another of the same", async () => {
      const { storage, addUser } = world();
      const [ann, bob] = [await addUser("ann@example.com"), await addUser("bob@example.com")];
      const session = await addSession(ann.id);
      expect(await storage.sessions.revoke(bob.id, session.id, NOW)).toBe(false);
      expect(await storage.sessions.revoke(ann.id, (await addSession(ann.id)).id, NOW)).toBe(true);
      expect((await storage.sessions.findWithUser(session.id))?.session.revokedAt).toBeUndefined();
    });

    test("the list is newest first without expired ones, and all but one are revoked", async () => {
      const { storage, addUser } = world();
      const [ann, bob] = [await addUser("ann@example.com"), await addUser("bob@example.com")];
      const [a, b, c] = [await addSession(ann.id), await addSession(ann.id), await addSession(ann.id)];
      await addSession(ann.id, NOW);
      const other = await addSession(bob.id);
      const list = async () => (await storage.sessions.list(ann.id, NOW, { offset: 0, limit: 9 })).items;
      expect((await list()).map(({ id }) => id)).toEqual([c.id, b.id, a.id]);
      expect(await storage.sessions.revokeAll(ann.id, b.id, NOW)).toBe(2);
      const revoked = (await list()).map(({ revokedAt }) => revokedAt);
      expect(revoked).toEqual([NOW, undefined, NOW]);
      expect(await storage.sessions.revokeAll(ann.id, undefined, NOW)).toBe(1);
      expect((await storage.sessions.findWithUser(other.id))?.session.revokedAt).toBeUndefined();
    });

    test("sessions are revoked though a clock that is ahead takes them for expired, and not counted", async () => {
      const { storage, addUser } = world();
      const ann = await addUser("ann@example.com");
      const { id, expiresAt } = await addSession(ann.id);
      expect(await storage.sessions.revokeAll(ann.id, undefined, expiresAt)).toBe(0);
      expect((await storage.sessions.findWithUser(id))?.session.revokedAt).toBe(expiresAt);
    });

    test("the oldest ones of a user are deleted, but for a number of the newest", async () => {
      const { storage, addUser } = world();
      const [ann, bob] = [await addUser("ann@example.com"), await addUser("bob@example.com")];
      const other = await addSession(bob.id);
      const [a, b, c] = [await addSession(ann.id), await addSession(ann.id), await addSession(ann.id)];
      expect(await storage.sessions.deleteOldest(ann.id, 3)).toBe(0);
      expect(await storage.sessions.deleteOldest(ann.id, 2)).toBe(1);
      expect(await storage.sessions.findWithUser(a.id)).toBeUndefined();
      for (const { id } of [b, c, other]) expect(await storage.sessions.findWithUser(id)).toBeDefined();
    });

    test("expired ones are deleted, a bounded number at a time", async () => {
      const { storage, addUser } = world();
      const { id } = await addUser("ann@example.com");
      const live = await addSession(id);
      for (let count = 0; count < 3; count += 1) await addSession(id, NOW - HOUR);
      expect(await storage.sessions.deleteExpired(NOW, 2)).toBe(2);
      expect(await storage.sessions.deleteExpired(NOW, 2)).toBe(1);
      expect(await storage.sessions.deleteExpired(NOW, 2)).toBe(0);
      expect(await storage.sessions.findWithUser(live.id)).toBeDefined();
    });
  });

  describe("tokens sent by e-mail", () => {
    const world = usePeopleWorld(open);

    test("a token is accepted once, for its purpose, before it expires", async () => {
      const { storage, addUser } = world();
      const other = await addUser("bob@example.com");
      const { id } = await addUser("ann@example.com");
      await storage.emailTokens.insert({
        digest: "c",
        purpose: "verify_email",
        userId: other.id,
        expiresAt: NOW + HOUR,
      });
      const token = { digest: "d", purpose: "verify_email", userId: id, expiresAt: NOW + HOUR } as const;
      await storage.emailTokens.insert(token);
      expect(await storage.emailTokens.consume("reset_password", "d", NOW)).toBeUndefined();
      expect(await storage.emailTokens.consume("verify_email", "d", NOW + HOUR)).toBeUndefined();
      expect(await storage.emailTokens.find("verify_email", "d", NOW)).toBe(id);
      expect(await storage.emailTokens.find("reset_password", "d", NOW)).toBeUndefined();
      expect(await storage.emailTokens.find("verify_email", "d", NOW + HOUR)).toBeUndefined();
      const taken = await race(() => storage.emailTokens.consume("verify_email", "d", NOW));
      expect(taken.filter((user) => user !== undefined)).toEqual([id]);
      expect(await storage.emailTokens.consume("verify_email", "c", NOW)).toBe(other.id);
    });

    test("a user's tokens of one purpose are deleted, and so are expired ones", async () => {
      const { storage, addUser } = world();
      const { id } = await addUser("ann@example.com");
      const add = (digest: string, purpose: "verify_email" | "reset_password", expiresAt = NOW + HOUR) =>
        storage.emailTokens.insert({ digest, purpose, userId: id, expiresAt });
      await add("a", "verify_email");
      await add("b", "reset_password");
      await add("c", "reset_password", NOW - 1);
      const other = await addUser("bob@example.com");
      await storage.emailTokens.insert({
        digest: "d",
        purpose: "verify_email",
        userId: other.id,
        expiresAt: NOW + HOUR,
      });
      await storage.emailTokens.deleteFor(id, "verify_email");
      expect(await storage.emailTokens.consume("verify_email", "d", NOW)).toBe(other.id);
      expect(await storage.emailTokens.consume("verify_email", "a", NOW)).toBeUndefined();
      expect(await storage.emailTokens.deleteExpired(NOW, 10)).toBe(1);
      expect(await storage.emailTokens.consume("reset_password", "b", NOW)).toBe(id);
    });
  });

  describe("rate limits", () => {
    const world = usePeopleWorld(open);

    test("exactly as many attempts are allowed as the limit says, also with concurrent calls", async () => {
      const { guards } = world().storage;
      const outcomes = await race(() => guards.reserve("k", 5, HOUR, NOW));
      expect(winners(outcomes.map(({ allowed }) => allowed))).toBe(5);
      expect(outcomes.filter(({ allowed }) => !allowed)).toEqual(
        Array(45).fill({ allowed: false, retryAt: NOW + HOUR }),
      );
      expect(await guards.reserve("other", 5, HOUR, NOW)).toEqual({ allowed: true });
      expect((await guards.reserve("none", 0, HOUR, NOW)).allowed).toBe(false);
    });

    test("attempts under many keys at once are counted each under its own, as many as there is room for", async () => {
      const { guards } = world().storage;
      await guards.reserve("k3", 5, HOUR, NOW - 10);
      const outcomes = await race((index) =>
        guards.reserve(`k${index % 5}`, index % 5 === 4 ? 12 : 5, HOUR, NOW),
      );
      const allowed = outcomes.flatMap((outcome, index) => (outcome.allowed ? index % 5 : []));
      expect([0, 1, 2, 3, 4].map((key) => allowed.filter((one) => one === key).length)).toEqual([
        5, 5, 5, 4, 10,
      ]);
      expect(outcomes[48]).toEqual({ allowed: false, retryAt: NOW - 10 + HOUR });
      expect(await guards.reserve("k4", 12, HOUR, NOW)).toEqual({ allowed: true });
    });

    test("the window starts with the first attempt, and a new one when it has ended", async () => {
      const { guards } = world().storage;
      await guards.reserve("k", 2, HOUR, NOW);
      await guards.reserve("k", 2, HOUR, NOW + 10);
      expect(await guards.reserve("k", 2, HOUR, NOW + HOUR - 1)).toEqual({
        allowed: false,
        retryAt: NOW + HOUR,
      });
      const second = NOW + HOUR;
      expect(winners((await race(() => guards.reserve("k", 2, HOUR, second))).map((o) => o.allowed))).toBe(2);
      expect(await guards.reserve("k", 2, HOUR, second)).toEqual({ allowed: false, retryAt: second + HOUR });
    });

    test("a window that began by a clock that was ahead ends a window's length from now, with its count", async () => {
      const { guards } = world().storage;
      const ahead = NOW + 48 * HOUR;
      for (const key of ["full", "open", "open", "left"]) await guards.reserve(key, 3, HOUR, ahead);
      await race(() => guards.reserve("full", 3, HOUR, ahead));
      expect(await guards.reserve("full", 3, HOUR, NOW)).toEqual({ allowed: false, retryAt: NOW + HOUR });
      const outcomes = await Promise.all([1, 2, 3].map((at) => guards.reserve("open", 3, HOUR, NOW + at)));
      expect(outcomes).toMatchObject([{ allowed: true }, { allowed: false }, { allowed: false }]);
      expect(await guards.reserve("left", 1, HOUR, NOW)).toEqual({ allowed: false, retryAt: NOW + HOUR });
      const over = NOW + HOUR + 3;
      for (const key of ["full", "open", "left"])
        expect(await guards.reserve(key, 3, HOUR, over), key).toEqual({ allowed: true });
    });

    test("an attempt is returned, a key cleared, and old ones deleted", async () => {
      const { guards } = world().storage;
      await guards.reserve("other", 1, HOUR, NOW);
      await guards.reserve("k", 1, HOUR, NOW);
      await guards.release("k");
      await guards.release("k");
      await guards.release("unknown");
      expect((await guards.reserve("k", 1, HOUR, NOW)).allowed).toBe(true);
      expect((await guards.reserve("k", 1, HOUR, NOW)).allowed).toBe(false);
      await guards.clear("k");
      expect((await guards.reserve("k", 1, HOUR, NOW)).allowed).toBe(true);
      expect((await guards.reserve("other", 1, HOUR, NOW)).allowed).toBe(false);
      expect(await guards.deleteStale(NOW + HOUR, 10)).toBe(0);
      expect(await guards.deleteStale(NOW + HOUR + 1, 1)).toBe(1);
      expect(await guards.deleteStale(NOW + HOUR + 1, 10)).toBe(1);
    });
  });
};
