import { generateSync } from "otplib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import type { UserCaller } from "../../calls/caller.ts";
import { createWorld, type World } from "../../testing/index.ts";

const minute = 60_000;
const email = "ada@example.com";
const password = "the engine weaves algebra";

let world: World;
let caller: UserCaller;
let token: string;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite());
  await world.posthorn.users.create({ name: "Ada", email, password });
  ({ token, caller } = await login());
});
afterEach(() => world.close());

async function login(twoFactorCode?: string): Promise<{ token: string; caller: UserCaller }> {
  const code = twoFactorCode === undefined ? {} : { twoFactorCode };
  const answer = await world.posthorn.accounts.login({ email, password, ...code });
  const as = await world.posthorn.authenticateUser(answer.token);
  if (as === undefined) throw new Error("the token is refused");
  return { token: answer.token, caller: as };
}

const setup = () => world.posthorn.twoFactor.setup({}, { as: caller });
const verify = (code: string) => world.posthorn.twoFactor.verify({ code }, { as: caller });
const disable = (code: string) => world.posthorn.twoFactor.disable({ code }, { as: caller });
const codeAt = (secret: string, at: number) => generateSync({ secret, epoch: Math.floor(at / 1000) });
const codeOf = (secret: string) => codeAt(secret, world.clock.now());
function wrongFor(secret: string): string {
  const right = [-minute / 2, 0, minute / 2].map((drift) => codeAt(secret, world.clock.now() + drift));
  return ["000000", "000001", "000002", "000003"].find((code) => !right.includes(code)) ?? "";
}
const isEnabled = async (): Promise<boolean> =>
  (await world.posthorn.users.getMe({}, { as: caller })).twoFactorEnabled;
const typesOf = async (): Promise<string[]> =>
  (await world.posthorn.auditLog.listMine({}, { as: caller })).items.map(({ type }) => type);

/** Returns the state of two-factor login that each mail announced. */
async function mailed(): Promise<string[]> {
  await world.posthorn.drain();
  return world.mailer.inbox.all().map(({ subject }) => subject);
}

async function enable(): Promise<string> {
  const { secret } = await setup();
  await verify(codeOf(secret));
  world.clock.advance(30_000);
  return secret;
}

async function codesOf(attempts: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(attempts);
  return settled.map((one) => (one.status === "fulfilled" ? "ok" : (one.reason as { code: string }).code));
}

describe("set-up", () => {
  test("requires a verified address, so that nobody can lock out an address's owner", async () => {
    await world.storage.users.update(caller.userId, { emailVerifiedAt: undefined });
    await expect(setup()).rejects.toMatchObject({ code: "email_not_verified" });
  });

  test("returns a secret and its URL, and enables nothing yet", async () => {
    const { secret, url } = await setup();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(url).toMatch(/^otpauth:\/\/totp\/Posthorn:ada(@|%40)example\.com\?/);
    expect(new URL(url).searchParams.get("secret")).toBe(secret);
    expect(await isEnabled()).toBe(false);
    await expect(login()).resolves.toBeDefined();
  });

  test("a second one replaces the first", async () => {
    const first = await setup();
    const second = await setup();
    await expect(verify(codeOf(first.secret))).rejects.toMatchObject({ code: "invalid_two_factor_code" });
    await expect(verify(codeOf(second.secret))).resolves.toMatchObject({ enabled: true });
  });

  test("expires after ten minutes", async () => {
    const { secret } = await setup();
    world.clock.advance(10 * minute);
    await expect(verify(codeOf(secret))).rejects.toMatchObject({ code: "two_factor_not_set_up" });
  });

  test("stores the secret encrypted", async () => {
    const { secret } = await setup();
    const stored = await world.storage.users.find(caller.userId);
    expect(stored?.pendingTotpSecret).toBeDefined();
    expect(stored?.pendingTotpSecret).not.toContain(secret);
  });

  test("is refused while enabled, and leaves the secret unchanged", async () => {
    const secret = await enable();
    await expect(setup()).rejects.toMatchObject({ code: "two_factor_already_enabled" });
    await expect(verify(codeOf(secret))).rejects.toMatchObject({ code: "two_factor_already_enabled" });
    await expect(login(codeOf(secret))).resolves.toBeDefined();
  });

  test("is dropped with the password's replacement: who began it may be whom that was to keep out", async () => {
    const { secret } = await setup();
    await world.posthorn.users.setPassword({ userId: caller.userId, password });
    ({ caller } = await login());
    const notSetUp = { code: "two_factor_not_set_up" };
    await expect(world.posthorn.twoFactor.qr({}, { as: caller })).rejects.toMatchObject(notSetUp);
    await expect(verify(codeOf(secret))).rejects.toMatchObject(notSetUp);
  });

  test("is available as a QR code while it is pending", async () => {
    const qr = () => world.posthorn.twoFactor.qr({}, { as: caller });
    await expect(qr()).rejects.toMatchObject({ code: "two_factor_not_set_up" });
    const { secret } = await setup();
    expect(await qr()).toMatch(/^<svg[\s\S]*<\/svg>$/);
    await verify(codeOf(secret));
    await expect(qr()).rejects.toMatchObject({ code: "two_factor_already_enabled" });
  });
});

describe("verification", () => {
  test("enables, returns ten recovery codes, ends the other sessions and informs the user", async () => {
    const other = await login();
    const { secret } = await setup();
    const { enabled, recoveryCodes } = await verify(codeOf(secret));
    expect(enabled).toBe(true);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await isEnabled()).toBe(true);
    expect(await world.posthorn.authenticateUser(other.token)).toBeUndefined();
    expect(await world.posthorn.authenticateUser(token)).toBeDefined();
    expect((await typesOf())[0]).toBe("user.2fa_enabled");
    expect(await mailed()).toContain("Two-factor login is enabled");
    const text = world.mailer.inbox.find({ subject: "Two-factor login is enabled" })?.text;
    expect(text).toMatch(/at once, and ask \S.* to switch two-factor login off:/);
  });

  test("needs a set-up", async () => {
    await expect(verify("123456")).rejects.toMatchObject({ code: "two_factor_not_set_up" });
  });

  test("refuses wrong and malformed codes; five in five minutes are checked, parallel ones included", async () => {
    const { secret } = await setup();
    const guesses = [wrongFor(secret), "12345", "abcdef", "1234567", "------", wrongFor(secret), "12345"];
    const codes = await codesOf(guesses.map(verify));
    expect(codes.filter((code) => code === "invalid_two_factor_code")).toHaveLength(5);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(2);
    await expect(verify(codeOf(secret))).rejects.toMatchObject({ code: "rate_limited", retryAfter: 300 });
    world.clock.advance(5 * minute);
    await expect(verify(codeOf(secret))).resolves.toMatchObject({ enabled: true });
  });

  test("counts no guess where it looks at no code, which would use up those of a login", async () => {
    for (let at = 0; at < 6; at += 1)
      await expect(disable("000000")).rejects.toMatchObject({ code: "two_factor_not_set_up" });
    for (let at = 0; at < 6; at += 1)
      await expect(verify("000000")).rejects.toMatchObject({ code: "two_factor_not_set_up" });
    const secret = await enable();
    for (let at = 0; at < 6; at += 1)
      await expect(verify("000000")).rejects.toMatchObject({ code: "two_factor_already_enabled" });
    await expect(login(codeOf(secret))).resolves.toBeDefined();
  });

  test("accepts the steps before and after, and no others", async () => {
    const { secret } = await setup();
    const at = world.clock.now();
    await expect(verify(codeAt(secret, at - minute))).rejects.toMatchObject({
      code: "invalid_two_factor_code",
    });
    await expect(verify(codeAt(secret, at - 30_000))).resolves.toBeDefined();
  });

  test("twice at once enables once", async () => {
    const { secret } = await setup();
    const codes = await codesOf([verify(codeOf(secret)), verify(codeOf(secret))]);
    expect(codes.sort()).toEqual(["ok", "two_factor_already_enabled"]);
  });
});

describe("disabling", () => {
  test("requires a valid code, ends the other sessions and informs the user", async () => {
    const secret = await enable();
    const other = await login(codeOf(secret));
    // This code was used for a login just before.
    await expect(disable(codeOf(secret))).rejects.toMatchObject({ code: "invalid_two_factor_code" });
    world.clock.advance(30_000);
    expect(await disable(codeOf(secret))).toEqual({ enabled: false });
    expect(await isEnabled()).toBe(false);
    expect(await world.posthorn.authenticateUser(other.token)).toBeUndefined();
    expect(await world.posthorn.authenticateUser(token)).toBeDefined();
    const { items } = await world.posthorn.auditLog.listMine({ size: 1 }, { as: caller });
    expect(items[0]).toMatchObject({ type: "user.2fa_disabled", metadata: { byAdministrator: false } });
    expect(await mailed()).toContain("Two-factor login is disabled");
    const { text } = world.mailer.inbox.find({ subject: "Two-factor login is disabled" }) ?? {};
    expect(text).toContain("reset your password at once.\n");
    await expect(login()).resolves.toBeDefined();
  });

  test("accepts no recovery code and no wrong one", async () => {
    const { secret } = await setup();
    const { recoveryCodes } = await verify(codeOf(secret));
    world.clock.advance(30_000);
    for (const code of [recoveryCodes[0] ?? "", wrongFor(secret)])
      await expect(disable(code)).rejects.toMatchObject({ code: "invalid_two_factor_code" });
    expect(await isEnabled()).toBe(true);
  });

  test("checks five codes in five minutes, parallel ones included", async () => {
    const secret = await enable();
    const codes = await codesOf(Array.from({ length: 7 }, () => disable(wrongFor(secret))));
    expect(codes.filter((code) => code === "invalid_two_factor_code")).toHaveLength(5);
    await expect(disable(codeOf(secret))).rejects.toMatchObject({ code: "rate_limited" });
    world.clock.advance(5 * minute);
    await expect(disable(codeOf(secret))).resolves.toEqual({ enabled: false });
  });

  test("is refused while disabled", async () => {
    await expect(disable("123456")).rejects.toMatchObject({ code: "two_factor_not_set_up" });
  });

  test("deletes the recovery codes", async () => {
    const { secret } = await setup();
    const { recoveryCodes } = await verify(codeOf(secret));
    world.clock.advance(30_000);
    await disable(codeOf(secret));
    const again = await enable();
    await expect(login(recoveryCodes[0] ?? "")).rejects.toMatchObject({ code: "invalid_two_factor_code" });
    await expect(login(codeOf(again))).resolves.toBeDefined();
  });

  test("an administrator needs no code; the user's sessions end", async () => {
    await enable();
    const administrator = await world.addUser({ admin: true });
    const reset = (as: UserCaller) => world.posthorn.users.resetTwoFactor({ userId: caller.userId }, { as });
    await expect(reset(caller)).rejects.toMatchObject({ code: "administrator_required" });
    await reset(administrator);
    expect(await world.posthorn.authenticateUser(token)).toBeUndefined();
    expect(await mailed()).toContain("Two-factor login is disabled");
    const { items } = await world.posthorn.auditLog.listMine({ size: 1 }, { as: caller });
    expect(items[0]).toMatchObject({
      type: "user.2fa_disabled",
      actorId: administrator.userId,
      metadata: { byAdministrator: true },
    });
    await expect(login()).resolves.toBeDefined();
    await expect(reset(administrator)).rejects.toMatchObject({ code: "two_factor_not_set_up" });
    await expect(
      world.posthorn.users.resetTwoFactor({ userId: 999 }, { as: administrator }),
    ).rejects.toMatchObject({ code: "not_found" });
  });
});
