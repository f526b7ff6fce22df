import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, type House, mailedToken, openHouse, refusal } from "./harness.ts";
import { password } from "./start-server.ts";

const minute = 60_000;
const hour = 60 * minute;

// decisions §2, People and sessions
describe.each(engines)("accounts on $name", ({ open }) => {
  let house: House;
  let count = 0;
  beforeAll(async () => {
    house = await openHouse(open, { trustProxy: true }, { registration: "open" });
  });
  afterAll(() => house.close());

  // Each from a client of its own: what one may do is bounded.
  let clients = 0;
  const newClient = () => `198.51.100.${++clients}`;
  const post = (path: string, body: unknown, ip = newClient()) =>
    house.call(`POST /auth/${path}`, { body, headers: { "x-forwarded-for": ip } });
  const newAddress = () => `person${++count}@example.org`;
  const register = (email: string, more: object = {}) =>
    post("register", { name: "Ada", email, password, ...more });
  const logIn = (email: string, text = password) => post("login", { email, password: text });

  test("POST /auth/register {name, email, password} → 201 User, and a verification mail", async () => {
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

  test("where registration is open, a stranger's workspace sends once an administrator trusts it", async () => {
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
    const send = () =>
      house.call("POST /emails/send", {
        as: String(made.body.data?.["key"]),
        body: { to: ["grace@example.org"], subject: "Hello", text: "Hello" },
      });
    expect(refusal(await send())).toEqual([422, "workspace_not_trusted"]);
    const trust = (verb: string, caller = house.administrator) =>
      house.call(`${verb} /admin/workspaces/${workspace}/trust`, { as: caller });
    expect(refusal(await trust("POST", as))).toEqual([403, "administrator_required"]);
    expect((await trust("POST")).body.data).toMatchObject({ id: workspace, is_trusted: true });
    expect((await send()).status).toBe(202);
    expect((await trust("DELETE")).body.data).toMatchObject({ is_trusted: false });
    expect(refusal(await send())).toEqual([422, "workspace_not_trusted"]);
  });

  test("nobody registers as an administrator, or verified", async () => {
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

  test("an unknown address and a wrong password are one and the same 401", async () => {
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
    "POST /auth/%s {email} → 202, the same whether or not the address is known",
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

  test("GET and PUT /users/me", async () => {
    const as = await house.logIn();
    expect((await house.call("GET /users/me", { as })).body.data).toMatchObject({
      id: as.userId,
      email: as.email,
    });
    const put = (body: unknown) => house.call("PUT /users/me", { as, body });
    expect((await put({ name: "Grace" })).body.data).toMatchObject({ id: as.userId, name: "Grace" });
    expect(refusal(await put({}))).toEqual([400, "validation_failed"]);
    for (const field of ["email", "is_admin", "email_verified", "id"])
      expect(faultyFields(await put({ name: "x", [field]: 1 }))).toEqual([400, [field]]);
  });

  test("DELETE /users/me {password}, and an administrator's DELETE /admin/users/{userId}", async () => {
    const as = await house.logIn();
    const remove = (body: object) => house.call("DELETE /users/me", { as, body });
    expect(faultyFields(await remove({}))).toEqual([400, ["password"]]);
    expect(faultyFields(await remove({ password: "not the password" }))).toEqual([400, ["password"]]);
    expect((await remove({ password })).status).toBe(200);
    expect(refusal(await house.call("GET /users/me", { as }))).toEqual([401, "unauthenticated"]);
    const { userId } = await house.logIn();
    const path = `DELETE /admin/users/${userId}`;
    expect(refusal(await house.call(path, { as: house.owner }))).toEqual([403, "administrator_required"]);
    expect((await house.call(path, { as: house.administrator })).status).toBe(200);
    const owning = `DELETE /admin/users/${house.owner.userId}`;
    expect(refusal(await house.call(owning, { as: house.administrator }))).toEqual([409, "owns_workspaces"]);
  });

  test("POST /admin/users: an administrator makes users, administrators among them, and nobody else does", async () => {
    const as = house.administrator;
    const body = { name: "Eve", email: newAddress(), password };
    for (const other of [house.owner, house.admin])
      expect(refusal(await house.call("POST /admin/users", { as: other, body }))).toEqual([
        403,
        "administrator_required",
      ]);
    const made = await house.call("POST /admin/users", { as, body });
    const id = made.body.data?.["id"];
    expect([made.status, made.body.data]).toMatchObject([
      201,
      { email: body.email, email_verified: true, is_admin: false, external_id: null },
    ]);
    expect((await house.call(`GET /admin/users/${id}`, { as })).body.data).toEqual(made.body.data);
    expect((await logIn(body.email)).status).toBe(200);
    expect(refusal(await house.call("POST /admin/users", { as, body }))).toEqual([409, "email_taken"]);
    const weak = { ...body, email: newAddress(), password: "short" };
    expect(faultyFields(await house.call("POST /admin/users", { as, body: weak }))).toEqual([
      400,
      ["password"],
    ]);
    const admin = { ...body, email: newAddress(), is_admin: true };
    expect((await house.call("POST /admin/users", { as, body: admin })).body.data).toMatchObject({
      is_admin: true,
    });
    expect(refusal(await house.call("GET /admin/users/999999", { as }))).toEqual([404, "not_found"]);
  });

  test("POST, DELETE /admin/users/{userId}/administrator: rights that begin and end with the next request, never one's own", async () => {
    const as = house.administrator;
    const person = await house.logIn();
    const rights = (method: string, userId: number, by = as) =>
      house.call(`${method} /admin/users/${userId}/administrator`, { as: by });
    expect(refusal(await rights("POST", person.userId, person))).toEqual([403, "administrator_required"]);
    expect((await rights("POST", person.userId)).body.data).toMatchObject({ is_admin: true });
    expect((await house.call("GET /admin/users", { as: person })).status).toBe(200);
    expect(refusal(await rights("DELETE", person.userId, person))).toEqual([403, "forbidden"]);
    expect((await rights("DELETE", person.userId)).body.data).toMatchObject({ is_admin: false });
    expect(refusal(await house.call("GET /admin/users", { as: person }))).toEqual([
      403,
      "administrator_required",
    ]);
    const events = await house.call("GET /admin/events?size=2", { as });
    expect(events.body.data).toMatchObject([
      { type: "user.demoted", user_id: person.userId, actor_id: as.userId },
      { type: "user.promoted", user_id: person.userId, actor_id: as.userId },
    ]);
  });

  test("of two administrators who demote each other at once, one is left", async () => {
    for (let round = 0; round < 2; round += 1) {
      const pair = [await house.logIn({ admin: true }), await house.logIn({ admin: true })] as const;
      const demote = (userId: number, as: (typeof pair)[number]) =>
        house.call(`DELETE /admin/users/${userId}/administrator`, { as });
      const answers = await Promise.all([demote(pair[1].userId, pair[0]), demote(pair[0].userId, pair[1])]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    }
  });

  test("GET, DELETE /admin/users/{userId}/sessions: an administrator sees and ends anybody's logins", async () => {
    const as = house.administrator;
    const person = await house.logIn();
    const path = `/admin/users/${person.userId}/sessions`;
    for (const method of ["GET", "DELETE"])
      expect(refusal(await house.call(`${method} ${path}`, { as: person }))).toEqual([
        403,
        "administrator_required",
      ]);
    const [session] = (await house.call(`GET ${path}`, { as })).body.data as unknown as { id: string }[];
    expect(session).toMatchObject({ revoked: false });
    const ended = await house.call(`DELETE ${path}`, { as });
    expect([ended.status, ended.body.data]).toMatchObject([200, { revoked: 1 }]);
    expect(refusal(await house.call("GET /users/me", { as: person }))).toEqual([401, "unauthenticated"]);
    expect((await house.call(`DELETE ${path}`, { as })).body.data).toMatchObject({ revoked: 0 });
    expect((await house.call(`GET ${path}`, { as })).body.data).toMatchObject([{ revoked: true }]);
  });

  test("PUT /admin/users|workspaces/by-external-id/{id} and /admin/users/{id}/external-id: an administrator's own ids", async () => {
    const as = house.administrator;
    const id = `crm/${house.owner.userId} é`;
    const path = (of: string) => `PUT /admin/${of}/by-external-id/${encodeURIComponent(id)}`;
    const edith = { name: "Edith", email: `edith${house.owner.userId}@example.com` };
    expect(refusal(await house.call(path("users"), { as: house.owner, body: edith }))).toEqual([
      403,
      "administrator_required",
    ]);
    const made = await house.call(path("users"), { as, body: edith });
    expect([made.status, made.body.data]).toMatchObject([
      200,
      { ...edith, external_id: id, email_verified: true },
    ]);
    const renamed = await house.call(path("users"), { as, body: { ...edith, name: "E" } });
    expect(renamed.body.data).toEqual({ ...made.body.data, name: "E" });
    const link = (userId: unknown, external_id: string) =>
      house.call(`PUT /admin/users/${userId}/external-id`, { as, body: { external_id } });
    expect(refusal(await link(house.owner.userId, id))).toEqual([409, "external_id_taken"]);
    expect(faultyFields(await link(house.owner.userId, "a\nb"))).toEqual([400, ["external_id"]]);
    expect((await link(made.body.data?.["id"], "another")).body.data).toMatchObject({
      external_id: "another",
    });
    const shop = await house.call(path("workspaces"), {
      as,
      body: { name: "Shop", user_id: made.body.data?.["id"] },
    });
    expect([shop.status, shop.body.data]).toMatchObject([200, { name: "Shop", external_id: id }]);
    const again = await house.call(path("workspaces"), { as, body: { name: "Shop" } });
    expect(again.body.data).toMatchObject({ id: shop.body.data?.["id"] });
    const { body } = await house.call("GET /admin/workspaces?q=Shop&size=1", { as });
    expect(body.data).toMatchObject([{ external_id: id, is_trusted: true }]);
  });

  test("PUT /users/me/password {current_password, password}: all other sessions are revoked", async () => {
    const as = await house.logIn();
    const other = { ...as, token: String((await logIn(as.email)).body.data?.["token"]) };
    const put = (current_password: string, text: string) =>
      house.call("PUT /users/me/password", { as, body: { current_password, password: text } });
    expect(faultyFields(await put("not the password", "another good passphrase"))).toEqual([
      400,
      ["current_password"],
    ]);
    expect(faultyFields(await put(password, "short"))).toEqual([400, ["password"]]);
    expect((await put(password, "another good passphrase")).status).toBe(200);
    expect((await house.call("GET /users/me", { as })).status).toBe(200);
    expect(refusal(await house.call("GET /users/me", { as: other }))).toEqual([401, "unauthenticated"]);
    expect((await logIn(as.email, "another good passphrase")).status).toBe(200);
  });

  test("10 failed passwords in 15 minutes for an account, parallel or not; then 429, also for the right one", async () => {
    const email = newAddress();
    await register(email);
    const answers = await Promise.all(Array.from({ length: 14 }, () => logIn(email, "not the password")));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    const locked = await logIn(email);
    expect(refusal(locked)).toEqual([429, "rate_limited"]);
    expect(Number(locked.headers.get("retry-after"))).toBeLessThanOrEqual(900);
    house.world.clock.advance(15 * minute);
    expect((await logIn(email)).status).toBe(200);
    house.world.clock.advance(-15 * minute);
  });

  test.each([
    ["forgot-password", 3],
    ["resend-verification", 5],
  ])("%s: %i mails an hour for an account, then 429; known or not", async (path, limit) => {
    const known = newAddress();
    if (path === "forgot-password") await register(known);
    for (let at = 0; at < limit; at += 1) expect((await post(path, { email: known })).status).toBe(202);
    expect(refusal(await post(path, { email: known }))).toEqual([429, "rate_limited"]);
    expect(refusal(await post(path, { email: known.toUpperCase() }))).toEqual([429, "rate_limited"]);
  });

  test("10 registrations an hour from a client, then 429; a /64 is one client", async () => {
    const answers: number[] = [];
    for (let host = 1; host <= 11; host += 1) {
      const body = { name: "Ada", email: "ada@example.org", password };
      answers.push((await post("register", body, `2001:db8:1:2::${host}`)).status);
    }
    expect(answers).toEqual([...Array(10).fill(201), 429]);
  });

  test("a personal log of logins and changes", async () => {
    const as = await house.logIn();
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
