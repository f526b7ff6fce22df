import { describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, mailedToken, refusal } from "./harness.ts";
import { house, logIn, newAddress, openRegistrationHouse, post } from "./open-registration.ts";
import { type Answer, password } from "./start-server.ts";

// decisions §2, People and sessions
describe.each(engines)("accounts on $name", ({ open }) => {
  openRegistrationHouse(open);

  const minute = 60_000;
  const hour = 60 * minute;

  const register = (email: string, more: object = {}) =>
    post("register", { name: "Ada", email, password, ...more });

  test("POST /auth/register {name, email, password} → 201 User, and a verification e-mail", async () => {
    const answer = await register("Ada@Example.org");
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        success: true,
        data: {
          id: expect.any(Number),
          name: "Ada",
          email: "Ada@Example.org",
          email_verified: false,
          two_factor_enabled: false,
          is_admin: false,
          created_at: "2030-01-01T12:00:00.000Z",
        },
      },
    ]);
    const again = await register("aDA@example.ORG");
    expect([again.status, again.body.data]).toMatchObject([201, { name: "Ada", email: "aDA@example.ORG" }]);
    expect(await mailedToken(house, "Ada@Example.org", /Verify/)).toMatch(/^[\w-]{43}$/);
  });

  test("with open registration, a new user's workspace sends once an administrator trusts it", async () => {
    const email = newAddress();
    await register(email);
    const verification = await mailedToken(house, email, /Verify/);
    const as = { token: String((await logIn(email)).body.data?.["token"]), userId: 0, email };
    const workspace = await house.makeWorkspace(as);
    const key = { as, workspace, body: { name: "key" } };
    const keys = "POST /workspaces/current/api-keys";
    expect(refusal(await house.call(keys, key))).toEqual([403, "email_not_verified"]);
    await post("verify-email", { token: verification, password });
    const made = await house.call(keys, key);
    const send = (more: object = {}) =>
      house.call("POST /emails/send", {
        as: String(made.body.data?.["key"]),
        body: { to: ["grace@example.org"], subject: "Hello", text: "Hello", ...more },
      });
    expect(refusal(await send())).toEqual([422, "workspace_not_trusted"]);
    const trust = (verb: string, caller = house.administrator) =>
      house.call(`${verb} /admin/workspaces/${workspace}/trust`, { as: caller });
    expect(refusal(await trust("POST", as))).toEqual([403, "administrator_required"]);
    expect((await trust("POST")).body.data).toMatchObject({ id: workspace, is_trusted: true });
    expect((await send()).status).toBe(202);
    expect((await trust("DELETE")).body.data).toMatchObject({ is_trusted: false });
    expect(refusal(await send())).toEqual([422, "workspace_not_trusted"]);
    const relay = { name: "relay", host: "mail.example.com", username: "ada", password: "secret" };
    await house.call("POST /workspaces/current/smtp-servers", { as, workspace, body: relay });
    // The operator's sender stays the operator's.
    expect(refusal(await send())).toEqual([422, "workspace_not_trusted"]);
    const own = await send({ from: "ada@shop.example", subject: "Own" });
    expect(own.status).toBe(202);
    await house.world.posthorn.drain();
    expect(house.world.mailer.inbox.find({ subject: "Own" })?.server).toMatchObject({
      host: "mail.example.com",
      needsLogin: true,
    });
  });

  test("nobody can register as an administrator, or as verified", async () => {
    for (const field of [
      "is_admin",
      "email_verified",
      "id",
      "role",
      "plan_id",
      "email_verified_at",
      "password_hash",
    ])
      expect(faultyFields(await register(newAddress(), { [field]: true }))).toEqual([400, [field]]);
    expect(faultyFields(await post("register", {}))).toEqual([400, ["email", "name", "password"]]);
  });

  test.each([
    ["short", "elevenchars"],
    ["long", "x".repeat(257)],
    ["common", "password1234"],
    ["not a text", 123456789012],
  ])("a password that is %s is a 400", async (_, text) => {
    expect(faultyFields(await register(newAddress(), { password: text }))).toEqual([400, ["password"]]);
  });

  test("POST /auth/login → {token, token_type, expires_at, session_id, user}; addresses in any case", async () => {
    const email = newAddress();
    await register(email);
    const { status, body } = await logIn(email.toUpperCase());
    expect([status, body.data]).toEqual([
      200,
      {
        token: expect.any(String),
        token_type: "Bearer",
        expires_at: "2030-01-02T12:00:00.000Z",
        session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        user: expect.objectContaining({ email, email_verified: false }),
      },
    ]);
  });

  test("an unknown address and a wrong password get the same 401", async () => {
    const email = newAddress();
    await register(email);
    const wrong = await logIn(email, "not the password");
    const unknown = await logIn(newAddress(), "not the password");
    expect(refusal(wrong)).toEqual([401, "invalid_credentials"]);
    expect(unknown.body.error).toEqual(wrong.body.error);
    expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()]);
  });

  test("POST /auth/verify-email {token, password} → User, once, within 24 hours", async () => {
    const email = newAddress();
    await register(email);
    const token = await mailedToken(house, email, /Verify/);
    expect(faultyFields(await post("verify-email", { token }))).toEqual([400, ["password"]]);
    expect(faultyFields(await post("verify-email", { token, new_password: "short" }))).toEqual([
      400,
      ["new_password"],
    ]);
    const { status, body } = await post("verify-email", { token, password });
    expect([status, body.data]).toMatchObject([200, { email, email_verified: true }]);
    expect(faultyFields(await post("verify-email", { token, password }))).toEqual([400, ["token"]]);
    expect(faultyFields(await post("verify-email", { token: "x", password }))).toEqual([400, ["token"]]);
    const late = newAddress();
    await register(late);
    const lapsed = await mailedToken(house, late, /Verify/);
    house.world.clock.advance(24 * hour);
    const answer = await post("verify-email", { token: lapsed, password });
    house.world.clock.advance(-24 * hour);
    expect(faultyFields(answer)).toEqual([400, ["token"]]);
  });

  test.each(["resend-verification", "forgot-password"])(
    "POST /auth/%s {email} → 202, whether or not the address is known",
    async (path) => {
      const email = newAddress();
      await register(email);
      const known = await post(path, { email });
      const unknown = await post(path, { email: newAddress() });
      expect(known.status).toBe(202);
      expect(unknown.body).toEqual(known.body);
      await house.world.posthorn.drain();
      const subject = path === "forgot-password" ? /Reset/ : /Verify/;
      expect(house.world.mailer.inbox.find({ to: email, subject })).toBeDefined();
    },
  );

  test("POST /auth/reset-password {token, password}: once, within the hour; every session is revoked", async () => {
    const email = newAddress();
    await register(email);
    const as = { token: String((await logIn(email)).body.data?.["token"]), userId: 0, email };
    await post("forgot-password", { email });
    const token = await mailedToken(house, email, /Reset/);
    const next = "another good passphrase";
    expect((await post("reset-password", { token, password: next })).body).toEqual({
      success: true,
      data: { message: expect.any(String) },
    });
    expect(refusal(await house.call("GET /users/me", { as }))).toEqual([401, "unauthenticated"]);
    expect(refusal(await logIn(email))).toEqual([401, "invalid_credentials"]);
    expect((await logIn(email, next)).status).toBe(200);
    expect(faultyFields(await post("reset-password", { token, password: next }))).toEqual([400, ["token"]]);
    await post("forgot-password", { email });
    const lapsed = await mailedToken(house, email, /Reset/);
    house.world.clock.advance(hour);
    const late = await post("reset-password", { token: lapsed, password: next });
    house.world.clock.advance(-hour);
    expect(faultyFields(late)).toEqual([400, ["token"]]);
  });

  test("10 wrong passwords in 15 minutes for an account, parallel or not; then 429, even with the right one", async () => {
    const email = newAddress();
    await register(email);
    const answers = await Promise.all(Array.from({ length: 14 }, () => logIn(email, "not the password")));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    const locked = await logIn(email);
    expect(refusal(locked)).toEqual([429, "rate_limited"]);
    expect(locked.headers.get("retry-after")).toBe("900");
    expect(locked.headers.get("ratelimit-policy")).toBe('"passwords:account";q=10;w=900');
    expect(locked.headers.get("ratelimit")).toBe('"passwords:account";r=0;t=900');
    house.world.clock.advance(15 * minute);
    expect((await logIn(email)).status).toBe(200);
    house.world.clock.advance(-15 * minute);
  });

  test.each([
    ["forgot-password", 3],
    ["resend-verification", 5],
  ])("%s: %i e-mails an hour for an account, then 429; known or not", async (path, limit) => {
    const known = newAddress();
    if (path === "forgot-password") await register(known);
    for (let at = 0; at < limit; at += 1) expect((await post(path, { email: known })).status).toBe(202);
    expect(refusal(await post(path, { email: known }))).toEqual([429, "rate_limited"]);
    expect(refusal(await post(path, { email: known.toUpperCase() }))).toEqual([429, "rate_limited"]);
  });

  test("10 registrations an hour from a client, then 429; a /64 is one client", async () => {
    const answers: Answer[] = [];
    for (let host = 1; host <= 11; host += 1) {
      const body = { name: "Ada", email: "ada@example.org", password };
      answers.push(await post("register", body, `2001:db8:1:2::${host}`));
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(201), 429]);
    expect(answers.at(-1)?.headers.get("ratelimit-policy")).toBe('"registrations:client";q=10;w=3600');
  });

  test("the personal log lists logins and changes", async () => {
    const as = await house.logIn();
    await logIn(as.email, password);
    await logIn(as.email, "not the password");
    const { body } = await house.call("GET /users/me/audit-log", { as });
    expect(body.data?.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["user.login", "user.login_failed"]),
    );
    expect(body.data?.every((event) => event["category"] === "audit" && event["workspace_id"] === null)).toBe(
      true,
    );
  });
});
