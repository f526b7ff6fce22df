import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  ada,
  anonymous,
  enableTwoFactor,
  login,
  mailedToken,
  openAccountWorldForEach,
  typesOf,
  world,
} from "../../../test/account-world.ts";
import { codesOf, minute } from "../../../test/world-for-each.ts";

openAccountWorldForEach();

describe("forgotten passwords", () => {
  const password = "another engine, other algebra";
  beforeEach(async () => void (await world.posthorn.accounts.register(ada, anonymous)));
  const forgot = (email = ada.email) => world.posthorn.accounts.forgotPassword({ email }, anonymous);

  test("an e-mailed token sets a new password once, and ends every session", async () => {
    const before = await login();
    await forgot();
    await forgot();
    const token = await mailedToken("Reset your password");
    const reset = await world.posthorn.accounts.resetPassword({ token, password }, anonymous);
    expect(reset).toEqual({ message: expect.any(String) });
    expect(await world.posthorn.authenticateUser(before.token)).toBeUndefined();
    await expect(login()).rejects.toMatchObject({ code: "invalid_credentials" });
    await expect(login({ password })).resolves.toBeDefined();
    await world.posthorn.drain();
    const tokens = world.mailer.inbox
      .all()
      .filter(({ subject }) => subject === "Reset your password")
      .map(({ text }) => /\?token=([\w-]+)/.exec(text)?.[1] ?? "");
    const again = tokens.map((used) =>
      world.posthorn.accounts.resetPassword({ token: used, password }, anonymous),
    );
    expect(await codesOf(again)).toEqual(["validation_failed", "validation_failed"]);
    expect(world.mailer.inbox.find({ subject: "Your password has changed" })).toBeDefined();
    expect(await typesOf(before.user.id)).toContain("user.password_reset");
  });

  test("of two resets with one token, one succeeds", async () => {
    await forgot();
    const token = await mailedToken("Reset your password");
    const codes = await codesOf(
      Array.from({ length: 2 }, () => world.posthorn.accounts.resetPassword({ token, password }, anonymous)),
    );
    expect(codes.sort()).toEqual(["ok", "validation_failed"]);
  });

  test("a link takes no password that is the account's own address or name, and stays valid", async () => {
    const verification = await mailedToken("Verify your e-mail address");
    await forgot();
    const token = await mailedToken("Reset your password");
    const own = "ADA@example.com";
    await expect(
      world.posthorn.accounts.resetPassword({ token, password: own }, anonymous),
    ).rejects.toMatchObject({ details: [expect.objectContaining({ path: "password" })] });
    await expect(
      world.posthorn.accounts.verifyEmail({ token: verification, newPassword: own }, anonymous),
    ).rejects.toMatchObject({ details: [expect.objectContaining({ path: "newPassword" })] });
    await expect(
      world.posthorn.accounts.verifyEmail({ token: verification, password: ada.password }, anonymous),
    ).resolves.toMatchObject({ emailVerified: true });
    await expect(
      world.posthorn.accounts.resetPassword({ token, password }, anonymous),
    ).resolves.toBeDefined();
  });

  test("a token expires after an hour", async () => {
    await forgot();
    const token = await mailedToken("Reset your password");
    world.clock.advance(60 * minute);
    await expect(world.posthorn.accounts.resetPassword({ token, password }, anonymous)).rejects.toMatchObject(
      { code: "validation_failed" },
    );
  });

  test("a client tries fifty mailed tokens in 15 minutes, of resets and verifications together", async () => {
    const trials = [
      () => world.posthorn.accounts.resetPassword({ token: "unknown", password }, anonymous),
      () => world.posthorn.accounts.verifyEmail({ token: "unknown", password }, anonymous),
      () => world.posthorn.accounts.verifyEmail({ token: "unknown", newPassword: password }, anonymous),
    ];
    const codes = await codesOf(Array.from({ length: 17 }, () => trials.map((trial) => trial())).flat());
    expect(codes).toEqual([...Array(50).fill("validation_failed"), "rate_limited"]);
    expect(await codesOf(trials.map((trial) => trial()))).toEqual(Array(3).fill("rate_limited"));
    world.clock.advance(15 * minute);
    expect(await codesOf(trials.map((trial) => trial()))).toEqual(Array(3).fill("validation_failed"));
  });

  test("guesses cost no hash: however many come at once, they keep nobody from a new password", async () => {
    await forgot();
    const token = await mailedToken("Reset your password");
    const guess = (n: number) => ({ as: anonymous.as, client: { ip: `192.0.2.${n}` } });
    const { resetPassword, verifyEmail } = world.posthorn.accounts;
    const guesses = Array.from({ length: 100 }, (_, n) => [
      resetPassword({ token: `unknown ${n}`, password }, guess(n)),
      verifyEmail({ token: `unknown ${n}`, newPassword: password }, guess(n)),
    ]).flat();
    const reset = resetPassword({ token, password }, anonymous);
    expect(new Set(await codesOf(guesses))).toEqual(new Set(["validation_failed"]));
    await expect(reset).resolves.toBeDefined();
  });

  test("a refused password leaves the token valid", async () => {
    await forgot();
    const token = await mailedToken("Reset your password");
    await expect(
      world.posthorn.accounts.resetPassword({ token, password: "short" }, anonymous),
    ).rejects.toMatchObject({ code: "validation_failed" });
    await expect(
      world.posthorn.accounts.resetPassword({ token, password }, anonymous),
    ).resolves.toBeDefined();
  });

  test("answers before anything is looked up or written, whether or not the address is known", async () => {
    for (const email of [ada.email, "who@example.com"]) {
      const transactions = vi.spyOn(world.storage, "transaction");
      const asked = [
        world.posthorn.accounts.forgotPassword({ email }, anonymous),
        world.posthorn.accounts.resendVerification({ email }, anonymous),
      ];
      await Promise.all(asked);
      expect(transactions).not.toHaveBeenCalled();
      await world.posthorn.drain();
      expect(transactions.mock.calls.length).toBeGreaterThanOrEqual(2);
      transactions.mockRestore();
    }
    expect(world.mailer.inbox.find({ to: ada.email, subject: "Reset your password" })).toBeDefined();
    expect(world.mailer.inbox.find({ to: "who@example.com" })).toBeUndefined();
  });

  test("known and unknown addresses are answered alike, three times an hour each", async () => {
    for (const email of [ada.email, "who@example.com"]) {
      const answers = [await forgot(email), await forgot(email), await forgot(email)];
      expect(new Set(answers.map(({ message }) => message))).toEqual(
        new Set(["If the address has an account, a mail is on its way."]),
      );
      await expect(forgot(email)).rejects.toMatchObject({ code: "rate_limited", retryAfter: 3600 });
    }
  });

  test("a reset of an account with an unverified address verifies it", async () => {
    await forgot();
    const token = await mailedToken("Reset your password");
    await world.posthorn.accounts.resetPassword({ token, password }, anonymous);
    const { user } = await login({ password });
    expect(user.emailVerified).toBe(true);
    expect(await typesOf(user.id)).toContain("user.email_verified");
  });

  test("a reset neither bypasses nor disables two-factor login", async () => {
    await enableTwoFactor();
    await forgot();
    const token = await mailedToken("Reset your password");
    await world.posthorn.accounts.resetPassword({ token, password }, anonymous);
    await expect(login({ password })).rejects.toMatchObject({ code: "two_factor_required" });
  });

  test("a token that proved the address ends the links of its verification", async () => {
    const link = await mailedToken("Verify your e-mail address");
    await forgot();
    const token = await mailedToken("Reset your password");
    await world.posthorn.accounts.resetPassword({ token, password }, anonymous);
    await expect(
      world.posthorn.accounts.verifyEmail({ token: link, password }, anonymous),
    ).rejects.toMatchObject({ details: [{ path: "token" }] });
  });
});
