import { describe, expect, test } from "vitest";
import {
  ada,
  anonymous,
  client,
  login,
  mailedToken,
  openAccountWorldForEach,
  typesOf,
  world,
} from "../../../test/account-world.ts";
import { codesOf, minute } from "../../../test/world-for-each.ts";

openAccountWorldForEach();

const verify = (token: string, password = ada.password) =>
  world.posthorn.accounts.verifyEmail({ token, password }, anonymous);

describe("registration", () => {
  test("opens an account, stores the address as typed and e-mails a link", async () => {
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

  test("a taken address is answered like a free one; its owner is informed by e-mail", async () => {
    const first = await world.posthorn.accounts.register(ada, anonymous);
    await world.posthorn.drain();
    world.mailer.inbox.clear();
    const again = { name: "Eve", email: "ada@EXAMPLE.com", password: "another engine, other algebra" };
    const answer = await world.posthorn.accounts.register(again, anonymous);
    expect(answer).toEqual({ ...first, id: expect.any(Number), name: "Eve", email: again.email });
    expect(answer.id).toBeGreaterThan(first.id);
    // The number was given to nobody, and the existing account is unchanged.
    expect((await world.posthorn.accounts.register({ ...ada, email: "eve@example.com" }, anonymous)).id).toBe(
      answer.id + 1,
    );
    expect(await world.storage.users.find(answer.id)).toBeUndefined();
    await expect(login()).resolves.toMatchObject({ user: { id: first.id } });
    await world.posthorn.drain();
    const told = world.mailer.inbox.find({ to: ada.email });
    expect(told?.subject).toBe("You already have an account");
    expect(told?.text).not.toContain("Eve");
    expect(await typesOf(first.id)).toContain("user.registration_repeated");
    await expect(world.posthorn.accounts.register(again)).rejects.toMatchObject({ code: "email_taken" });
  });

  test("the owner of a taken address gets five e-mails an hour, from however many clients", async () => {
    for (let n = 0; n < 7; n += 1)
      await world.posthorn.accounts.register(ada, {
        ...anonymous,
        client: { ...client, ip: `192.0.2.${n}` },
      });
    await world.posthorn.drain();
    const subjects = world.mailer.inbox.all().map(({ subject }) => subject);
    expect(subjects.sort()).toEqual([
      "Verify your e-mail address",
      ...Array(4).fill("You already have an account"),
    ]);
  });

  test("of two registrations at once one opens the account", async () => {
    await codesOf([
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

describe("limits per client", () => {
  const registrations = async (count: number, ip: (n: number) => string) =>
    codesOf(
      Array.from({ length: count }, (_, n) =>
        world.posthorn.accounts.register(
          { ...ada, email: `ada${n}@example.com` },
          { as: { kind: "anonymous" }, client: { ip: ip(n) } },
        ),
      ),
    );

  test("a client opens ten accounts an hour, from any address of its /64; refused ones are not hashed", async () => {
    const as = { as: { kind: "anonymous" }, client: { ip: "2001:db8::1" } } as const;
    const weak = Array.from({ length: 10 }, () =>
      world.posthorn.accounts.register({ ...ada, password: "password" }, as),
    );
    expect(await codesOf(weak)).toEqual(Array(10).fill("validation_failed"));
    const codes = await registrations(13, (n) => `2001:db8::${n}`);
    expect(codes.filter((code) => code === "ok")).toHaveLength(10);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(3);
    expect(await registrations(1, () => "2001:db8:0:1::1")).toEqual(["ok"]);
    expect((await world.storage.users.list({ q: undefined }, { offset: 0, limit: 1 })).total).toBe(10);
  });

  test("clients with unknown addresses are counted together, the host itself is not counted", async () => {
    for (let counted = 0; counted < 200; counted++)
      await world.storage.guards.reserve("registrations:client:unknown", 200, 60 * minute, world.clock.now());
    expect(await registrations(1, () => "")).toEqual(["rate_limited"]);
    await expect(world.posthorn.accounts.register(ada)).resolves.toBeDefined();
  });

  test("a client causes at most thirty e-mails of any kind an hour", async () => {
    const asks = Array.from({ length: 32 }, (_, n) => {
      const email = `ada${n}@example.com`;
      return n % 2
        ? world.posthorn.accounts.forgotPassword({ email }, anonymous)
        : world.posthorn.accounts.resendVerification({ email }, anonymous);
    });
    const codes = await codesOf(asks);
    expect(codes.filter((code) => code === "ok")).toHaveLength(30);
    expect(await codesOf([world.posthorn.accounts.register(ada, anonymous)])).toEqual(["rate_limited"]);
  });

  test("an e-mail to an unverified address contains no text chosen by a stranger", async () => {
    await world.posthorn.accounts.register({ ...ada, name: "You have won, Vera" }, anonymous);
    await world.posthorn.drain();
    const mail = world.mailer.inbox.find({ to: ada.email });
    expect(JSON.stringify(mail)).not.toContain("won");
  });
});

describe("verification of an address", () => {
  test("accepts a token once, within 24 hours", async () => {
    await world.posthorn.accounts.register(ada, anonymous);
    const token = await mailedToken("Verify your e-mail address");
    world.clock.advance(24 * 60 * minute - 1);
    const verified = await verify(token);
    expect(verified.emailVerified).toBe(true);
    expect(await typesOf(verified.id)).toEqual(["user.email_verified", "user.registered"]);
    await expect(verify(token)).rejects.toMatchObject({ code: "validation_failed" });
  });

  test("accepts no other link once an address is verified", async () => {
    await world.posthorn.accounts.register(ada, anonymous);
    const former = await mailedToken("Verify your e-mail address");
    await world.posthorn.accounts.resendVerification({ email: ada.email }, anonymous);
    const latter = await mailedToken("Verify your e-mail address");
    expect(latter).not.toBe(former);
    await verify(latter);
    await expect(verify(former)).rejects.toMatchObject({ details: [{ path: "token" }] });
  });

  test("refuses an expired token, an unknown one and one for another purpose", async () => {
    await world.posthorn.accounts.register(ada, anonymous);
    await world.posthorn.accounts.forgotPassword({ email: ada.email }, anonymous);
    const reset = await mailedToken("Reset your password");
    const expired = await mailedToken("Verify your e-mail address");
    world.clock.advance(24 * 60 * minute);
    const codes = await codesOf([reset, expired, "unknown"].map((token) => verify(token)));
    expect(codes).toEqual(Array(3).fill("validation_failed"));
  });

  test("requires the account's password besides the link, and a wrong one leaves the link valid", async () => {
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

  test("wrong passwords with a link count like those of logins", async () => {
    await world.posthorn.accounts.register(ada, anonymous);
    const token = await mailedToken("Verify your e-mail address");
    const guess = () => world.posthorn.accounts.verifyEmail({ token, password: "a guess" }, anonymous);
    const codes = await codesOf(Array.from({ length: 12 }, guess));
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(2);
  });

  test("the right password with a link does not count", async () => {
    await world.posthorn.accounts.register(ada, anonymous);
    const token = await mailedToken("Verify your e-mail address");
    const guesses = Array.from({ length: 9 }, () => verify(token, "a guess"));
    expect(await codesOf([...guesses, verify(token)])).toEqual([...Array(9).fill("validation_failed"), "ok"]);
    await expect(login({ password: "a guess" })).rejects.toMatchObject({ code: "invalid_credentials" });
  });

  test("a recipient who did not open the account sets a new password, which ends the stranger's sessions", async () => {
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
    expect(await typesOf(stranger.user.id)).toContain("user.password_reset");
    await expect(login()).rejects.toMatchObject({ code: "invalid_credentials" });
    await expect(login({ password: newPassword })).resolves.toBeDefined();
    // The link does not change the password of a verified account.
    await expect(
      world.posthorn.accounts.verifyEmail({ token: later, newPassword: "yet another engine" }, anonymous),
    ).rejects.toMatchObject({ code: "validation_failed" });
  });

  test("another e-mail is answered alike for known, verified and unknown addresses, five times an hour", async () => {
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
