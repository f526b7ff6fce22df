import { generateSync } from "otplib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld, type World } from "../../testing/index.ts";
import { recoveryCodeDigest } from "../rules/recovery-codes.ts";

const ada = { name: "Ada", email: "Ada@Example.com", password: "the engine weaves algebra" };
const client = { ip: "192.0.2.1", userAgent: "test" };
const anonymous = { as: { kind: "anonymous" }, client } as const;
const minute = 60_000;

let world: World;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite(), { registration: "open" });
});
afterEach(() => world.close());

const login = (input: { password?: string; email?: string; twoFactorCode?: string } = {}, ip = client.ip) =>
  world.posthorn.accounts.login(
    { email: ada.email, password: ada.password, ...input },
    { ...anonymous, client: { ...client, ip } },
  );

/** The token of the newest mail of a subject. */
async function mailedToken(subject: string, to = ada.email): Promise<string> {
  await world.posthorn.drain();
  const mail = world.mailer.inbox
    .all()
    .filter((one) => one.subject === subject && one.envelope.to.includes(to))
    .at(-1);
  const token = /\?token=([\w-]{43})/.exec(mail?.text ?? "")?.[1];
  if (token === undefined) throw new Error(`there is no mail "${subject}" with a token for ${to}`);
  return token;
}

async function callerOf(token: string) {
  const caller = await world.posthorn.authenticateUser(token);
  if (caller === undefined) throw new Error("the token is refused");
  return caller;
}

async function refusals(attempts: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(attempts);
  return settled.map((one) => (one.status === "fulfilled" ? "ok" : (one.reason as { code: string }).code));
}

const typesOf = async (userId: number): Promise<string[]> =>
  (await world.storage.events.list({ workspaceId: "all", userId }, { offset: 0, limit: 100 })).items.map(
    ({ type }) => type,
  );

const verify = (token: string, password = ada.password) =>
  world.posthorn.accounts.verifyEmail({ token, password }, anonymous);

const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(world.clock.now() / 1000) });

async function enableTwoFactor() {
  const { token, user } = await login();
  await world.storage.users.update(user.id, { emailVerifiedAt: world.clock.now() });
  const caller = await callerOf(token);
  const { secret } = await world.posthorn.twoFactor.setup({}, { as: caller });
  const code = codeOf(secret);
  const { recoveryCodes } = await world.posthorn.twoFactor.verify({ code }, { as: caller });
  return { secret, code, recoveryCodes, caller };
}

describe("registration", () => {
  test("opens an account, keeps the address as typed and mails a link", async () => {
    const user = await world.posthorn.accounts.register(ada, anonymous);
    expect(user).toEqual({
      id: user.id,
      name: "Ada",
      email: "Ada@Example.com",
      emailVerified: false,
      twoFactorEnabled: false,
      isAdmin: false,
      createdAt: world.clock.now(),
    });
    await world.posthorn.drain();
    const mail = world.mailer.inbox.find({ to: ada.email, subject: "Verify your e-mail address" });
    expect(mail?.text).toContain(`${world.posthorn.config.appUrl}/verify-email?token=`);
    expect(await typesOf(user.id)).toEqual(["user.registered"]);
  });

  test("a taken address is answered like a free one; its owner is told by mail", async () => {
    const first = await world.posthorn.accounts.register(ada, anonymous);
    await world.posthorn.drain();
    world.mailer.inbox.clear();
    const again = { name: "Eve", email: "ada@EXAMPLE.com", password: "another engine, other algebra" };
    const answer = await world.posthorn.accounts.register(again, anonymous);
    expect(answer).toEqual({ ...first, id: expect.any(Number), name: "Eve", email: again.email });
    expect(answer.id).toBeGreaterThan(first.id);
    // The number is nobody's, and the account is what it was.
    expect((await world.posthorn.accounts.register({ ...ada, email: "eve@example.com" }, anonymous)).id).toBe(
      answer.id + 1,
    );
    expect(await world.storage.users.find(answer.id)).toBeUndefined();
    await expect(login()).resolves.toMatchObject({ user: { id: first.id } });
    await world.posthorn.drain();
    const told = world.mailer.inbox.find({ to: ada.email });
    expect(told?.subject).toBe("You have an account already");
    expect(told?.text).not.toContain("Eve");
    expect(await typesOf(first.id)).toContain("user.registration_repeated");
    await expect(world.posthorn.accounts.register(again)).rejects.toMatchObject({ code: "email_taken" });
  });

  test("of two registrations at once one opens the account", async () => {
    await refusals([
      world.posthorn.accounts.register(ada, anonymous),
      world.posthorn.accounts.register({ ...ada, email: "ada@EXAMPLE.com" }, anonymous),
    ]);
    expect((await world.storage.users.list({ q: undefined }, { offset: 0, limit: 9 })).total).toBe(1);
  });

  test.each([
    ["a short password", { password: "short word" }, "password"],
    ["a common password", { password: "password123456" }, "password"],
    ["the own address as a password", { password: "ada@example.com" }, "password"],
    ["a bad address", { email: "ada@localhost" }, "email"],
    ["two addresses", { email: "ada@example.com,eve@example.com" }, "email"],
    ["an address with a KELVIN SIGN for a k", { email: "vera@outloo\u212a.test" }, "email"],
    ["an empty name", { name: "  " }, "name"],
    ["a name that is a web address", { name: "win at evil.example" }, "name"],
    ["a name with a line break", { name: "Ada\r\nBcc: eve" }, "name"],
    ["an unknown field", { isAdmin: true }, "isAdmin"],
  ])("refuses %s", async (_what, fault, path) => {
    const refused = world.posthorn.accounts.register({ ...ada, ...fault }, anonymous);
    await expect(refused).rejects.toMatchObject({
      code: "validation_failed",
      details: [expect.objectContaining({ path })],
    });
  });
});

describe("what one client may cost others", () => {
  const registrations = async (count: number, ip: (n: number) => string) =>
    refusals(
      Array.from({ length: count }, (_, n) =>
        world.posthorn.accounts.register(
          { ...ada, email: `ada${n}@example.com` },
          { as: { kind: "anonymous" }, client: { ip: ip(n) } },
        ),
      ),
    );

  test("a client opens ten accounts an hour, whichever address of its /64 it comes from; what is refused is not hashed", async () => {
    const codes = await registrations(13, (n) => `2001:db8::${n}`);
    expect(codes.filter((code) => code === "ok")).toHaveLength(10);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(3);
    expect(await registrations(1, () => "2001:db8:0:1::1")).toEqual(["ok"]);
    expect((await world.storage.users.list({ q: undefined }, { offset: 0, limit: 1 })).total).toBe(10);
  });

  test("clients that the host does not tell apart are counted together, the host itself is not", async () => {
    for (let counted = 0; counted < 200; counted++)
      await world.storage.guards.reserve("registrations:client:unknown", 200, 60 * minute, world.clock.now());
    expect(await registrations(1, () => "")).toEqual(["rate_limited"]);
    await expect(world.posthorn.accounts.register(ada)).resolves.toBeDefined();
  });

  test("a client has thirty mails of any kind an hour", async () => {
    const asks = Array.from({ length: 32 }, (_, n) => {
      const email = `ada${n}@example.com`;
      return n % 2
        ? world.posthorn.accounts.forgotPassword({ email }, anonymous)
        : world.posthorn.accounts.resendVerification({ email }, anonymous);
    });
    const codes = await refusals(asks);
    expect(codes.filter((code) => code === "ok")).toHaveLength(30);
    expect(await refusals([world.posthorn.accounts.register(ada, anonymous)])).toEqual(["rate_limited"]);
  });

  test("the mail to an address that nobody has verified says nothing that a stranger chose", async () => {
    await world.posthorn.accounts.register({ ...ada, name: "You have won, Vera" }, anonymous);
    await world.posthorn.drain();
    const mail = world.mailer.inbox.find({ to: ada.email });
    expect(JSON.stringify(mail)).not.toContain("won");
  });
});

describe("verification of an address", () => {
  test("takes a token once, within 24 hours", async () => {
    await world.posthorn.accounts.register(ada, anonymous);
    const token = await mailedToken("Verify your e-mail address");
    world.clock.advance(24 * 60 * minute - 1);
    const verified = await verify(token);
    expect(verified.emailVerified).toBe(true);
    expect(await typesOf(verified.id)).toEqual(["user.email_verified", "user.registered"]);
    await expect(verify(token)).rejects.toMatchObject({ code: "validation_failed" });
  });

  test("refuses an expired token, an unknown one and one for another purpose", async () => {
    await world.posthorn.accounts.register(ada, anonymous);
    await world.posthorn.accounts.forgotPassword({ email: ada.email }, anonymous);
    const reset = await mailedToken("Reset your password");
    const expired = await mailedToken("Verify your e-mail address");
    world.clock.advance(24 * 60 * minute);
    const codes = await refusals([reset, expired, "unknown"].map((token) => verify(token)));
    expect(codes).toEqual(Array(3).fill("validation_failed"));
  });

  test("the link alone endorses no password: it takes the account's, and a wrong one leaves the link usable", async () => {
    await world.posthorn.accounts.register(ada, anonymous);
    const token = await mailedToken("Verify your e-mail address");
    const newPassword = "another engine, other algebra";
    const faulty = [{}, { password: "a guess" }, { password: ada.password, newPassword }];
    for (const given of faulty) {
      await expect(world.posthorn.accounts.verifyEmail({ token, ...given }, anonymous)).rejects.toMatchObject(
        { details: [expect.objectContaining({ path: "password" })] },
      );
    }
    await expect(
      world.posthorn.accounts.verifyEmail({ token, newPassword: "short" }, anonymous),
    ).rejects.toMatchObject({ details: [expect.objectContaining({ path: "newPassword" })] });
    await expect(verify(token)).resolves.toMatchObject({ emailVerified: true });
  });

  test("guesses at the password with a link count as logins do", async () => {
    await world.posthorn.accounts.register(ada, anonymous);
    const token = await mailedToken("Verify your e-mail address");
    const guess = () => world.posthorn.accounts.verifyEmail({ token, password: "a guess" }, anonymous);
    const codes = await refusals(Array.from({ length: 12 }, guess));
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(2);
  });

  test("who did not open the account sets a new password, and what the stranger has there ends", async () => {
    await world.posthorn.accounts.register(ada, anonymous);
    const stranger = await login();
    const token = await mailedToken("Verify your e-mail address");
    await world.posthorn.accounts.resendVerification({ email: ada.email }, anonymous);
    const later = await mailedToken("Verify your e-mail address");
    const newPassword = "another engine, other algebra";
    await expect(
      world.posthorn.accounts.verifyEmail({ token, newPassword }, anonymous),
    ).resolves.toMatchObject({ emailVerified: true });
    expect(await world.posthorn.authenticateUser(stranger.token)).toBeUndefined();
    await expect(login()).rejects.toMatchObject({ code: "invalid_credentials" });
    await expect(login({ password: newPassword })).resolves.toBeDefined();
    // A link is no way to change the password of a verified account.
    await expect(
      world.posthorn.accounts.verifyEmail({ token: later, newPassword: "yet another engine" }, anonymous),
    ).rejects.toMatchObject({ code: "validation_failed" });
  });

  test("another mail is asked for alike by known, verified and unknown addresses, five times an hour", async () => {
    await world.posthorn.accounts.register(ada, anonymous);
    await world.addUser({ email: "verified@example.com" });
    world.clock.advance(60 * minute);
    const ask = (email: string) => world.posthorn.accounts.resendVerification({ email }, anonymous);
    const answers = await Promise.all([ask(ada.email), ask("verified@example.com"), ask("who@example.com")]);
    expect(new Set(answers.map(({ message }) => message)).size).toBe(1);
    for (const email of [ada.email, "who@example.com"]) {
      for (let sent = 1; sent < 5; sent++) await ask(email);
      await expect(ask(email.toLowerCase())).rejects.toMatchObject({
        code: "rate_limited",
        retryAfter: 3600,
      });
    }
    await world.posthorn.drain();
    const addressees = world.mailer.inbox.all().flatMap(({ envelope }) => envelope.to);
    expect(addressees).toEqual(Array(6).fill(ada.email));
    world.clock.advance(60 * minute);
    await expect(ask(ada.email)).resolves.toBeDefined();
  });
});

describe("login", () => {
  beforeEach(async () => void (await world.posthorn.accounts.register(ada, anonymous)));

  test("answers a token for 24 hours, backed by a session", async () => {
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

  test("refuses an unknown address and a wrong password with the same words, and records both", async () => {
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

  test("takes a password typed in another Unicode form", async () => {
    const composed = { name: "Zoë", email: "zoe@example.com", password: "ﬁne caf\u00e9 au lait" };
    await world.posthorn.accounts.register(composed, anonymous);
    const typed = { email: composed.email, password: "fine cafe\u0301 au lait" };
    await expect(login(typed)).resolves.toBeDefined();
  });

  test("checks ten wrong passwords of an account in 15 minutes, also of parallel ones, then not even the right one", async () => {
    const attempts = Array.from({ length: 30 }, (_, n) => login({ password: `wrong ${n}` }, `192.0.2.${n}`));
    const codes = await refusals(attempts);
    expect(codes.filter((code) => code === "invalid_credentials")).toHaveLength(10);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(20);
    await expect(login()).rejects.toMatchObject({ code: "rate_limited", retryAfter: 15 * 60 });
    world.clock.advance(15 * minute);
    await expect(login()).resolves.toBeDefined();
  });

  test("refuses too many guesses at an unknown address alike", async () => {
    const guess = () => login({ email: "who@example.com" });
    const codes = await refusals(Array.from({ length: 11 }, guess));
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(1);
  });

  test("a right password clears the account's count", async () => {
    for (let round = 0; round < 3; round++) {
      await refusals(Array.from({ length: 9 }, () => login({ password: "wrong" })));
      await expect(login()).resolves.toBeDefined();
    }
  });

  test("checks fifty wrong passwords from a client address, whoever they are for; right ones don't count", async () => {
    const key = `passwords:client:${client.ip}`;
    for (let wrong = 0; wrong < 45; wrong++) {
      await world.storage.guards.reserve(key, 50, 15 * minute, world.clock.now());
    }
    for (let right = 0; right < 6; right++) await login();
    const guesses = Array.from({ length: 8 }, (_, n) => login({ email: `user${n}@example.com` }));
    const codes = await refusals(guesses);
    expect(codes.filter((code) => code === "invalid_credentials")).toHaveLength(5);
    await expect(login()).rejects.toMatchObject({ code: "rate_limited", retryAfter: 15 * 60 });
    await expect(login({}, "192.0.2.77")).resolves.toBeDefined();
  });

  test("with two-factor login asks for a code, and takes a step once", async () => {
    const { secret, code } = await enableTwoFactor();
    await expect(login()).rejects.toMatchObject({ code: "two_factor_required" });
    // The step that enabled it is used.
    await expect(login({ twoFactorCode: code })).rejects.toMatchObject({ code: "invalid_two_factor_code" });
    world.clock.advance(30_000);
    const twoFactorCode = codeOf(secret);
    const codes = await refusals(Array.from({ length: 4 }, () => login({ twoFactorCode })));
    expect(codes.sort()).toEqual([
      "invalid_two_factor_code",
      "invalid_two_factor_code",
      "invalid_two_factor_code",
      "ok",
    ]);
  });

  test("asks for the password before anything is told of two-factor login", async () => {
    await enableTwoFactor();
    await expect(login({ password: "wrong", twoFactorCode: "123456" })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
  });

  test("checks five codes of a user in five minutes, also of parallel ones", async () => {
    const { secret } = await enableTwoFactor();
    world.clock.advance(60_000);
    const right = codeOf(secret);
    const wrong = right === "000000" ? "000001" : "000000";
    const codes = await refusals(Array.from({ length: 9 }, () => login({ twoFactorCode: wrong })));
    expect(codes.filter((code) => code === "invalid_two_factor_code")).toHaveLength(5);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(4);
    await expect(login({ twoFactorCode: right })).rejects.toMatchObject({
      code: "rate_limited",
      retryAfter: 300,
    });
    world.clock.advance(5 * minute);
    await login({ twoFactorCode: codeOf(secret) });
  });

  test("takes each recovery code once, whatever its case", async () => {
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

  test("records logins and failures in the personal log", async () => {
    await login();
    await refusals([login({ password: "wrong" })]);
    const { user } = await login();
    expect(await typesOf(user.id)).toEqual([
      "user.login",
      "user.login_failed",
      "user.login",
      "user.registered",
    ]);
  });
});

describe("forgotten passwords", () => {
  const password = "another engine, other algebra";
  beforeEach(async () => void (await world.posthorn.accounts.register(ada, anonymous)));
  const forgot = (email = ada.email) => world.posthorn.accounts.forgotPassword({ email }, anonymous);

  test("a mailed token sets a new password once, and every session ends", async () => {
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
    expect(await refusals(again)).toEqual(["validation_failed", "validation_failed"]);
    expect(world.mailer.inbox.find({ subject: "Your password has changed" })).toBeDefined();
    expect(await typesOf(before.user.id)).toContain("user.password_reset");
  });

  test("two resets with one token: one counts", async () => {
    await forgot();
    const token = await mailedToken("Reset your password");
    const codes = await refusals(
      Array.from({ length: 2 }, () => world.posthorn.accounts.resetPassword({ token, password }, anonymous)),
    );
    expect(codes.sort()).toEqual(["ok", "validation_failed"]);
  });

  test("a token lapses after an hour", async () => {
    await forgot();
    const token = await mailedToken("Reset your password");
    world.clock.advance(60 * minute);
    await expect(world.posthorn.accounts.resetPassword({ token, password }, anonymous)).rejects.toMatchObject(
      { code: "validation_failed" },
    );
  });

  test("a refused password leaves the token usable", async () => {
    await forgot();
    const token = await mailedToken("Reset your password");
    await expect(
      world.posthorn.accounts.resetPassword({ token, password: "short" }, anonymous),
    ).rejects.toMatchObject({ code: "validation_failed" });
    await expect(
      world.posthorn.accounts.resetPassword({ token, password }, anonymous),
    ).resolves.toBeDefined();
  });

  test("the answer comes before anything is looked up or written, known address or not", async () => {
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

  test("a reset of an account whose address nobody had verified verifies it, and drops a stranger's two-factor login", async () => {
    const { caller } = await enableTwoFactor();
    // As accounts were that set it up before that needed a verified address.
    await world.storage.users.update(caller.userId, { emailVerifiedAt: undefined });
    await forgot();
    const token = await mailedToken("Reset your password");
    await world.posthorn.accounts.resetPassword({ token, password }, anonymous);
    const { user } = await login({ password });
    expect(user).toMatchObject({ emailVerified: true, twoFactorEnabled: false });
    expect(await typesOf(user.id)).toContain("user.email_verified");
  });

  test("a reset neither bypasses nor disables two-factor login", async () => {
    await enableTwoFactor();
    await forgot();
    const token = await mailedToken("Reset your password");
    await world.posthorn.accounts.resetPassword({ token, password }, anonymous);
    await expect(login({ password })).rejects.toMatchObject({ code: "two_factor_required" });
  });
});
