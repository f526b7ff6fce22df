import { hash as argon2Hash } from "@node-rs/argon2";
import { beforeEach, describe, expect, test } from "vitest";
import {
  ada,
  anonymous,
  callerOf,
  client,
  codeOf,
  enableTwoFactor,
  login,
  openAccountWorldForEach,
  typesOf,
  world,
} from "../../../test/account-world.ts";
import { codesOf, minute } from "../../../test/world-for-each.ts";
import { recoveryCodeDigest } from "../rules/recovery-codes.ts";

openAccountWorldForEach();

describe("login", () => {
  beforeEach(async () => void (await world.posthorn.accounts.register(ada, anonymous)));

  test("returns a token for 24 hours, with a session", async () => {
    const answer = await login({ email: "ADA@example.com" });
    expect(answer).toEqual({
      token: expect.any(String),
      tokenType: "Bearer",
      expiresAt: world.clock.now() + 24 * 60 * minute,
      sessionId: expect.any(String),
      user: expect.objectContaining({ email: "Ada@Example.com" }),
    });
    const caller = await callerOf(answer.token);
    expect(caller).toMatchObject({ sessionId: answer.sessionId, userId: answer.user.id });
    expect((await world.posthorn.sessions.list({}, { as: caller })).items).toEqual([
      {
        id: answer.sessionId,
        userAgent: "test",
        ipAddress: "192.0.2.1",
        createdAt: world.clock.now(),
        expiresAt: answer.expiresAt,
        revoked: false,
      },
    ]);
    world.clock.advance(24 * 60 * minute);
    expect(await world.posthorn.authenticateUser(answer.token)).toBeUndefined();
  });

  test("refuses an unknown address and a wrong password with the same message, and records both", async () => {
    const errors = await Promise.all(
      [login({ password: "not the password" }), login({ email: "who@example.com" })].map((attempt) =>
        attempt.catch((error: Error & { code: string }) => ({ code: error.code, message: error.message })),
      ),
    );
    expect(errors[0]).toEqual(errors[1]);
    expect(errors[0]).toMatchObject({ code: "invalid_credentials" });
    const failed = await world.storage.events.list(
      { workspaceId: "all", type: "user.login_failed" },
      { offset: 0, limit: 9 },
    );
    expect(failed.items.map(({ userId, metadata }) => ({ known: userId !== undefined, metadata }))).toEqual(
      expect.arrayContaining([
        { known: true, metadata: '{"reason":"invalid_credentials"}' },
        { known: false, metadata: '{"reason":"unknown_address"}' },
      ]),
    );
  });

  test("accepts a password typed in another Unicode form", async () => {
    const composed = { name: "Zoë", email: "zoe@example.com", password: "ﬁne caf\u00e9 au lait" };
    await world.posthorn.accounts.register(composed, anonymous);
    const typed = { email: composed.email, password: "fine cafe\u0301 au lait" };
    await expect(login(typed)).resolves.toBeDefined();
  });

  test("replaces a hash of former parameters, and keeps a current one", async () => {
    const { user } = await login();
    const hashOf = async () => (await world.storage.users.find(user.id))?.passwordHash;
    const current = await hashOf();
    await login();
    expect(await hashOf()).toBe(current);
    const former = await argon2Hash(ada.password, { memoryCost: 128, timeCost: 1 });
    await world.storage.users.update(user.id, { passwordHash: former });
    await login();
    expect(await hashOf()).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
    await expect(login()).resolves.toBeDefined();
  });

  test("keeps the first 512 characters of the client's name", async () => {
    const answer = await world.posthorn.accounts.login(
      { email: ada.email, password: ada.password },
      {
        ...anonymous,
        client: { ...client, userAgent: "x".repeat(600) },
      },
    );
    const { items } = await world.posthorn.sessions.list({}, { as: await callerOf(answer.token) });
    expect(items[0]?.userAgent).toBe("x".repeat(512));
  });

  test("checks ten wrong passwords of an account in 15 minutes, parallel ones included, then refuses even the right one", async () => {
    const attempts = Array.from({ length: 30 }, (_, n) => login({ password: `wrong ${n}` }, `192.0.2.${n}`));
    const codes = await codesOf(attempts);
    expect(codes.filter((code) => code === "invalid_credentials")).toHaveLength(10);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(20);
    await expect(login()).rejects.toMatchObject({ code: "rate_limited", retryAfter: 15 * 60 });
    world.clock.advance(15 * minute);
    await expect(login()).resolves.toBeDefined();
  });

  test("limits guesses at an unknown address in the same way", async () => {
    const guess = () => login({ email: "who@example.com" });
    const codes = await codesOf(Array.from({ length: 11 }, guess));
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(1);
  });

  test("a right password resets the account's count", async () => {
    for (let round = 0; round < 3; round++) {
      await codesOf(Array.from({ length: 9 }, () => login({ password: "wrong" })));
      await expect(login()).resolves.toBeDefined();
    }
  });

  test("checks fifty wrong passwords from a client address, for any accounts; right ones don't count", async () => {
    const key = `passwords:client:${client.ip}`;
    for (let wrong = 0; wrong < 45; wrong++) {
      await world.storage.guards.reserve(key, 50, 15 * minute, world.clock.now());
    }
    for (let right = 0; right < 6; right++) await login();
    const guesses = Array.from({ length: 8 }, (_, n) => login({ email: `user${n}@example.com` }));
    const codes = await codesOf(guesses);
    expect(codes.filter((code) => code === "invalid_credentials")).toHaveLength(5);
    await expect(login()).rejects.toMatchObject({ code: "rate_limited", retryAfter: 15 * 60 });
    await expect(login({}, "192.0.2.77")).resolves.toBeDefined();
  });

  test("attempts that an account's count refuses don't count for the client, whose other accounts log in", async () => {
    const attempts = () => Array.from({ length: 35 }, () => login({ email: "grace@example.com" }));
    const codes = await codesOf([...attempts(), ...attempts()]);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(60);
    await expect(login()).resolves.toBeDefined();
  });

  test("with two-factor login requires a code, and accepts each step once", async () => {
    const { secret, code } = await enableTwoFactor();
    await expect(login()).rejects.toMatchObject({ code: "two_factor_required" });
    for (const none of ["", null])
      await expect(login({ twoFactorCode: none })).rejects.toMatchObject({ code: "two_factor_required" });
    // This time step was used when two-factor login was enabled.
    await expect(login({ twoFactorCode: code })).rejects.toMatchObject({ code: "invalid_two_factor_code" });
    world.clock.advance(30_000);
    const twoFactorCode = codeOf(secret);
    const codes = await codesOf(Array.from({ length: 4 }, () => login({ twoFactorCode })));
    expect(codes.sort()).toEqual([
      "invalid_two_factor_code",
      "invalid_two_factor_code",
      "invalid_two_factor_code",
      "ok",
    ]);
  });

  test("checks the password before it mentions two-factor login", async () => {
    await enableTwoFactor();
    await expect(login({ password: "wrong", twoFactorCode: "123456" })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
  });

  test("checks five codes of a user in five minutes, parallel ones included", async () => {
    const { secret } = await enableTwoFactor();
    world.clock.advance(60_000);
    const right = codeOf(secret);
    const wrong = right === "000000" ? "000001" : "000000";
    const codes = await codesOf(Array.from({ length: 9 }, () => login({ twoFactorCode: wrong })));
    expect(codes.filter((code) => code === "invalid_two_factor_code")).toHaveLength(5);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(4);
    await expect(login({ twoFactorCode: right })).rejects.toMatchObject({
      code: "rate_limited",
      retryAfter: 300,
    });
    world.clock.advance(5 * minute);
    await login({ twoFactorCode: codeOf(secret) });
  });

  test("a right code resets the count of codes", async () => {
    const { secret } = await enableTwoFactor();
    for (let round = 0; round < 3; round++) {
      world.clock.advance(60_000);
      const right = codeOf(secret);
      const wrong = right === "000000" ? "000001" : "000000";
      const codes = await codesOf(Array.from({ length: 4 }, () => login({ twoFactorCode: wrong })));
      expect(new Set(codes)).toEqual(new Set(["invalid_two_factor_code"]));
      await expect(login({ twoFactorCode: right })).resolves.toBeDefined();
    }
  });

  test("accepts each recovery code once, whatever its case", async () => {
    const { recoveryCodes, caller } = await enableTwoFactor();
    const [first = "", second = ""] = recoveryCodes;
    expect(recoveryCodes).toHaveLength(10);
    await expect(login({ twoFactorCode: first.toUpperCase() })).resolves.toBeDefined();
    await expect(login({ twoFactorCode: first })).rejects.toMatchObject({ code: "invalid_two_factor_code" });
    await expect(login({ twoFactorCode: second.replace("-", "") })).resolves.toBeDefined();
    expect(await world.storage.users.consumeRecoveryCode(caller.userId, recoveryCodeDigest(second))).toBe(
      false,
    );
  });

  test("ends the oldest of 10,000 logins, so that all can be ended at once", async () => {
    const [oldest, second] = [await login(), await login()];
    const { id: userId } = oldest.user;
    const expiresAt = world.clock.now() + minute;
    const times = { userId, userAgent: "", ipAddress: "", createdAt: world.clock.now(), expiresAt };
    await world.storage.transaction(async ({ sessions }) => {
      for (let i = 2; i < 10_000; i += 1) await sessions.insert({ ...times, id: `session ${i}` });
    });
    expect(await world.storage.sessions.findWithUser(oldest.sessionId)).toBeDefined();
    await login();
    expect(await world.storage.sessions.findWithUser(oldest.sessionId)).toBeUndefined();
    expect(await world.storage.sessions.findWithUser(second.sessionId)).toBeDefined();
  });

  test("records logins and failures in the personal log", async () => {
    await login();
    await codesOf([login({ password: "wrong" })]);
    const { user } = await login();
    expect(await typesOf(user.id)).toEqual([
      "user.login",
      "user.login_failed",
      "user.login",
      "user.registered",
    ]);
  });
});
